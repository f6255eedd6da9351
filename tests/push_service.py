"""A push service that tests start, and phones that ask to be told by it: what comes is opened as RFC 8291 says."""

from __future__ import annotations

import json
import os
import struct
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from core.delivery.push import own_key, public_key


class PushService:
    """What came, by the path of a phone's address, and what the next messages are answered."""

    def __init__(self) -> None:
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.lines: set[tuple[str, int]] = set()
        self.hangs_up = False  # behind each answer, without a word of it
        service = self

        class Door(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.came.append((self.path, dict(self.headers), body))
                service.lines.add(self.client_address)
                self.send_response(service.answers.pop(0) if service.answers else 201)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")
                self.close_connection = service.hangs_up

            def log_message(self, *_said: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def told(self, phone: Phone) -> list[dict[str, str]]:
        """What has come for a phone, opened."""
        return [json.loads(phone.opened(body)) for path, _headers, body in self.came if path == phone.path]


class Phone:
    """A browser's subscription, with the key that only it has."""

    def __init__(self, service: str, name: str) -> None:
        self.path = f"/push/{name}"
        self.endpoint = service + self.path
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def asks(self, number: int | None) -> dict[str, object]:
        """What its page sends."""
        return {
            "endpoint": self.endpoint,
            "expirationTime": None,
            "keys": {"p256dh": in_base64(self.point), "auth": in_base64(self.auth)},
            "key": public_key(own_key()),
            "number": number,
        }

    def moves(self, was: Phone) -> dict[str, object]:
        """What it sends that had another address."""
        return self.asks(None) | {"was": was.endpoint, "was_auth": in_base64(was.auth)}

    def opened(self, body: bytes) -> bytes:
        """RFC 8291, 3.4, and RFC 8188, 2.1, written down once more."""
        salt, (size, length), rest = body[:16], struct.unpack("!LB", body[16:21]), body[21:]
        theirs, sealed = rest[:length], rest[length:]
        assert len(sealed) <= size
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        secret = self.key.exchange(ec.ECDH(), sender)
        agreed = derived(self.auth, secret, b"WebPush: info\0" + self.point + theirs, 32)
        key = derived(salt, agreed, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, agreed, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")  # the last record
        return plain[:-1]


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def in_base64(told: bytes) -> str:
    return urlsafe_b64encode(told).rstrip(b"=").decode()


def out_of_base64(told: str) -> bytes:
    return urlsafe_b64decode(told + "=" * (-len(told) % 4))
