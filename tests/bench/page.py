"""Bytes of the captain's page with all that it loads, as they are and as they travel."""

from __future__ import annotations

import gzip
import re
from urllib.request import urlopen

from tests.bench.stage import empty_folder, python, served


def main() -> None:
    with empty_folder() as folder:
        python("manage.py", "demo", folder=folder)
        links = python("manage.py", "links", "--json", folder=folder).stdout
        path = re.search(r"/c/[^/]+/", links)[0]
        with served(folder) as address:
            page = urlopen(address + path).read().decode()  # noqa: S310 - our own server
            parts = {"the page itself": page.encode()}
            waiting = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:css|js|svg))"', page)
            while waiting:
                name = waiting.pop()
                if name in parts:
                    continue
                parts[name] = urlopen(address + name).read()  # noqa: S310
                folder_of = name.rsplit("/", 1)[0]
                imports = re.findall(r'from\s*"\./([^"]+)"', parts[name].decode())
                waiting += [f"{folder_of}/{imported}" for imported in imports]
        own = sum(len(body) for name, body in parts.items() if name.endswith(".js"))
        total = sum(map(len, parts.values()))
        packed = sum(len(gzip.compress(body)) for body in parts.values())
        sizes = f"{total / 1000:.1f} kB ({packed / 1000:.1f} kB compressed)"
        print(f"{len(parts)} files, {sizes}, JavaScript {own / 1000:.1f} kB")
