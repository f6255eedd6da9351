"""The browser, and the windows that pages are looked at in."""

from pathlib import Path

# The same browser without what only a screen needs, where it is there.
SHELL = Path("/usr/bin/chromium-headless-shell")
CHROMIUM = str(SHELL if SHELL.exists() else "/usr/bin/chromium")
# So long, in ms, what a page will show is waited for: a busy machine is late, and a test that passes ends before.
PATIENCE = 60_000
# A name for this machine: pages at its own number may do what others, such as a hall's, may over https alone.
ELSEWHERE = "phone.test"
QUIET = [
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    "--proxy-server=direct://",  # whatever this machine goes by: no proxy knows that name
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--ignore-certificate-errors",  # the one of tests/browser/tls.py: no worker is taken from such a server else
]
PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
