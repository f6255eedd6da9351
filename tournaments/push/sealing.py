"""What a phone is told, enciphered so that it alone can read it (RFC 8291); and whether keys that came are keys."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

POINT, SHARED = 65, 16  # bytes
# Filled up to as many: how long a message is says nothing of what is in it.
FULL = 512


def sealed(told: Mapping[str, str], p256dh: str, auth: str) -> bytes:
    """JSON in a body of `Content-Encoding: aes128gcm`, which is in a record of its own as RFC 8291 wants."""
    import http_ece  # type: ignore[import-untyped]  # noqa: PLC0415 - brings cryptography: only who sends needs it
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    plain = json.dumps(told, ensure_ascii=False).encode()
    return bytes(
        http_ece.encrypt(
            plain.ljust(FULL),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(p256dh),
            auth_secret=_bytes(auth),
            version="aes128gcm",
        )
    )


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
