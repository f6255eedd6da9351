"""A journal on another machine, over SSH: with the keys and known hosts of the user that runs the program."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, cast
from urllib.parse import unquote, urlsplit

import paramiko

from core.journal.places import AWAY, PREFIX, PlaceError, place_errors

if TYPE_CHECKING:
    from paramiko import SFTPClient

PATIENCE = 10.0  # timeout in seconds of any response
KEY_BY_HAND = "ssh there once as the user who runs Spadille, so that the machine is known and takes the key."


class Sftp:
    """A folder by SFTP; connects at first use, and again after an error.

    The server responds when it has received the data; whether it is on its disk by then depends on the server.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.user, self.port = str(parts.hostname), parts.username, parts.port or 22
        self.folder = unquote(parts.path)
        self.said = address
        self._folders: set[str] = set()  # that are there
        self._ssh: paramiko.SSHClient | None = None
        self._client: SFTPClient | None = None

    @contextmanager
    def _connection(self) -> Iterator[SFTPClient]:
        try:
            with place_errors(self.said):
                yield self._client or self._connected()
        except PlaceError as problem:
            transport = self._ssh and self._ssh.get_transport()
            is_cut = self._ssh is not None and not (transport and transport.is_active())
            self.close()
            if is_cut:
                raise PlaceError(AWAY, str(problem)) from problem
            raise
        except (paramiko.SSHException, EOFError) as error:
            self.close()
            raise PlaceError(AWAY, f"{self.said}: {error or 'no connection'}") from error

    def _connected(self) -> SFTPClient:
        ssh = paramiko.SSHClient()
        try:
            ssh.load_system_host_keys()
            ssh.connect(
                self.host,
                self.port,
                self.user,
                timeout=PATIENCE,
                banner_timeout=PATIENCE,
                auth_timeout=PATIENCE,
            )
            client = ssh.open_sftp()
        except (paramiko.SSHException, EOFError, OSError) as error:
            ssh.close()
            by_hand = "" if isinstance(error, OSError) else f" {KEY_BY_HAND}"
            raise PlaceError(AWAY, f"{self.said}: {error or 'no connection'}.{by_hand}") from error
        channel = client.get_channel()
        if channel is not None:
            channel.settimeout(PATIENCE)
        self._ssh, self._client = ssh, client
        return client

    def _path(self, name: str) -> str:
        return posixpath.join(self.folder, name)

    def names(self, under: str = "") -> list[str]:
        with self._connection() as client:
            client.stat(self.folder)  # it must be there, as a folder on a stick must
            try:
                found = client.listdir(self._path(under))
            except FileNotFoundError:
                found = []
            return sorted(name for name in found if under or name.startswith(PREFIX))

    def open_file(self, name: str) -> IO[bytes]:
        with self._connection() as client:
            file = client.open(self._path(name), "rb")
            file.prefetch()
            return cast("IO[bytes]", file)

    def size(self, name: str) -> int | None:
        with self._connection() as client:
            try:
                return int(client.stat(self._path(name)).st_size or 0)
            except FileNotFoundError:
                client.stat(self.folder)
                return None

    def append(self, name: str, data: bytes) -> None:
        with self._connection() as client, client.open(self._path(name), "ab") as file:
            if not file.tell():
                file.chmod(0o600)
            file.write(data)

    def cut(self, name: str, size: int) -> None:
        with self._connection() as client:
            client.truncate(self._path(name), size)

    def put(self, name: str, data: bytes, mode: int = 0o700) -> None:
        """Write an entire file; missing folders are created with this mode."""
        path = self._path(name)
        with self._connection() as client:
            for above in reversed(PurePosixPath(name).parents[:-1]):
                if str(above) not in self._folders:
                    with suppress(OSError):
                        client.mkdir(self._path(str(above)), mode)
                    self._folders.add(str(above))
            with client.open(f"{path}.part", "wb") as file:
                file.write(data)
            client.posix_rename(f"{path}.part", path)

    def remove(self, name: str) -> None:
        with self._connection() as client, suppress(FileNotFoundError):
            client.remove(self._path(name))

    def close(self) -> None:
        ssh, self._ssh, self._client = self._ssh, None, None
        self._folders.clear()
        if ssh is not None:
            ssh.close()
