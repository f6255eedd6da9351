"""Push messages as browsers accept them: encryption (RFC 8291) and the VAPID key of this installation (RFC 8292)."""

from __future__ import annotations

import base64
import binascii
import json
import os
import struct
import time
from typing import TYPE_CHECKING

from django.conf import settings

from core.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from py_vapid import Vapid02


GOOD_FOR = 12 * 3600  # seconds; services take up to a day


def key_file() -> Path:
    return settings.DATA_DIR / "push-key"


def own_key() -> Vapid02:
    """The signing key, created if missing. Of two created at the same time the last one written is valid."""
    from py_vapid import Vapid02  # noqa: PLC0415 - imports cryptography, which only subscribing and sending need

    path = key_file()
    if not path.exists():
        made = Vapid02()
        made.generate_keys()
        write_atomically(path, made.private_pem())
    return Vapid02.from_pem(path.read_bytes())


def public_key(key: Vapid02) -> str:
    """The public key for browsers: the uncompressed point in base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

    point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def authorization(key: Vapid02, origin: str) -> str:
    """The VAPID header for a push service at `origin`: our signature, and an address for complaints."""
    key.conf = {"no-strict": True}  # it refuses public addresses with a port
    claims = {"aud": origin, "sub": settings.PUBLIC_URL, "exp": int(time.time()) + GOOD_FOR}
    return str(key.sign(claims)["Authorization"])


POINT, SHARED = 65, 16  # bytes
# Every message is padded to this length, so that its size does not reveal its content.
FULL = 512
RECORD = 4096  # bytes; a push message is one record
LAST_RECORD = b"\x02"


def sealed(told: Mapping[str, str], p256dh: str, auth: str) -> bytes:
    """A message as JSON in a body of `Content-Encoding: aes128gcm`, encrypted for one phone."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - slow to load: only who sends needs it

    plain = json.dumps(told, ensure_ascii=False).encode()
    sender = ec.generate_private_key(ec.SECP256R1())
    return encrypt(plain.ljust(FULL), _bytes(p256dh), _bytes(auth), sender, os.urandom(16))


def encrypt(
    plain: bytes, receiver: bytes, auth: bytes, sender: EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt one record for the receiver's public key, a point on P-256 (RFC 8291, 3.4; RFC 8188, 2)."""
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415 - see `sealed`
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

    def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    shared = sender.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    )
    point = sender.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    secret = derive(auth, shared, b"WebPush: info\0" + receiver + point, 32)
    key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!LB", RECORD, len(point)) + point
    return header + AESGCM(key).encrypt(nonce, plain + LAST_RECORD, None)


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether this is a point on the curve, and a secret as long as it has to be."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - see `sealed`

    try:
        point = _bytes(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return len(point) == POINT and len(_bytes(auth)) == SHARED
    except ValueError:
        return False


def _bytes(told: str) -> bytes:
    """Base64url without its end. Raises ValueError."""
    try:
        return base64.b64decode(told + "=" * (-len(told) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(told) from error
