"""From `make demo` typed a second time to the first page served, without make's own part."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.bench.stage import ROOT, empty_folder, python, wait_for
from tests.services import free_port


def main() -> None:
    with empty_folder() as folder:
        begun = time.perf_counter()
        python("manage.py", "demo", folder=folder)
        print(f"first start, making the demo: {time.perf_counter() - begun:.1f} s")
        times = []
        for _again in range(5):
            port = free_port()
            begun = time.perf_counter()
            server = subprocess.Popen(
                [sys.executable, "manage.py", "demo", "--serve", "--host", "127.0.0.1"],
                cwd=ROOT,
                env=os.environ | {"SPADILLE_DATA": folder, "PORT": str(port)},
                stdout=subprocess.DEVNULL,
            )
            wait_for(f"http://127.0.0.1:{port}")
            times.append(time.perf_counter() - begun)
            server.terminate()
            server.wait(15)
        print(
            f"second start until the first page is served: median {sorted(times)[2]:.2f} s, worst {max(times):.2f} s"
        )
