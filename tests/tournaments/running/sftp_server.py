"""Another machine with SSH, as far as a journal asks it: one folder, one key that lets in."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import paramiko
from paramiko import SFTPAttributes, SFTPHandle, SFTPServer, SFTPServerInterface


class Files(SFTPServerInterface):
    """A folder as `/`; what is asked of it is done to it."""

    folder = Path()

    def here(self, path: str) -> Path:
        return self.folder / path.lstrip("/")

    def answered(self, act):
        try:
            return act()
        except OSError as error:
            return SFTPServer.convert_errno(error.errno)

    def list_folder(self, path):
        def told(each):
            return SFTPAttributes.from_stat(each.stat(), each.name)

        return self.answered(lambda: [told(each) for each in self.here(path).iterdir()])

    def stat(self, path):
        return self.answered(lambda: SFTPAttributes.from_stat(self.here(path).stat()))

    lstat = stat

    def open(self, path, flags, _attributes):
        def opened():
            handle = Handle(self, path, flags)
            mode = "ab" if flags & os.O_APPEND else "wb" if flags & os.O_WRONLY else "rb"
            handle.filename = str(self.here(path))
            handle.readfile = handle.writefile = self.here(path).open(mode)
            return handle

        return self.answered(opened)

    def remove(self, path):
        return self.answered(lambda: self.here(path).unlink() or paramiko.SFTP_OK)

    def posix_rename(self, old, new):
        return self.answered(lambda: self.here(old).replace(self.here(new)) and paramiko.SFTP_OK)

    def mkdir(self, path, _attributes):
        return self.answered(lambda: self.here(path).mkdir() or paramiko.SFTP_OK)

    def chattr(self, path, attributes):
        def changed():
            if attributes.st_size is not None:
                os.truncate(self.here(path), attributes.st_size)
            if attributes.st_mode is not None:
                self.here(path).chmod(attributes.st_mode)
            return paramiko.SFTP_OK

        return self.answered(changed)


class Handle(SFTPHandle):
    """An open file; what is asked of it is asked of its name."""

    def __init__(self, files: Files, path: str, flags: int) -> None:
        super().__init__(flags)
        self.stat = lambda: files.stat(path)
        self.chattr = lambda attributes: files.chattr(path, attributes)


class Door(paramiko.ServerInterface):
    def __init__(self, key: paramiko.PKey) -> None:
        self.key = key

    def check_channel_request(self, kind, _number):
        return (
            paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED
        )

    def check_auth_publickey(self, _user, key):
        return paramiko.AUTH_SUCCESSFUL if key == self.key else paramiko.AUTH_FAILED

    def get_allowed_auths(self, _user):
        return "publickey"


class Machine:
    """Listens until it is closed; `cut` ends every connection, as when its cable is pulled."""

    def __init__(self, folder: Path, lets_in: paramiko.PKey) -> None:
        self.key, self.lets_in = paramiko.ECDSAKey.generate(), lets_in
        self.files = type("Of", (Files,), {"folder": folder})
        self.transports: list[paramiko.Transport] = []
        self.listens = socket.create_server(("127.0.0.1", 0))
        self.port = self.listens.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                link, _who = self.listens.accept()
            except OSError:
                return
            transport = paramiko.Transport(link)
            transport.add_server_key(self.key)
            transport.set_subsystem_handler("sftp", SFTPServer, self.files)
            self.transports.append(transport)
            try:
                transport.start_server(server=Door(self.lets_in))
            except (paramiko.SSHException, EOFError):
                continue

    def cut(self) -> None:
        for transport in self.transports:
            transport.close()

    def close(self) -> None:
        self.listens.close()
        self.cut()
