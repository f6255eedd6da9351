"""The key by which push services know this installation again (VAPID, RFC 8292), kept in the data folder.

A phone takes messages of the key alone that it was asked for with: where the file is lost, phones have to ask again.
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING

from django.conf import settings

from core.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from py_vapid import Vapid02  # type: ignore[import-untyped]

GOOD_FOR = 12 * 3600  # seconds; services take up to a day


def key_file() -> Path:
    return settings.DATA_DIR / "push-key"


def own_key() -> Vapid02:
    """The key; made where there is none yet. What two make at once is settled by whoever writes last."""
    from py_vapid import Vapid02  # noqa: PLC0415 - brings cryptography: only who asks or sends needs it

    path = key_file()
    if not path.exists():
        made = Vapid02()
        made.generate_keys()
        write_whole(path, made.private_pem())
    return Vapid02.from_pem(path.read_bytes())


def public_key(key: Vapid02) -> str:
    """As browsers want it: the point, uncompressed, in base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

    point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def authorization(key: Vapid02, origin: str) -> str:
    """What a push service at `origin` is shown: that we are we, and whom it can complain to."""
    key.conf = {"no-strict": True}  # it refuses public addresses with a port
    claims = {"aud": origin, "sub": settings.PUBLIC_URL, "exp": int(time.time()) + GOOD_FOR}
    return str(key.sign(claims)["Authorization"])
