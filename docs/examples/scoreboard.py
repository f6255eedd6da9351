"""A scoreboard: follows an evening through the API alone. Python, and nothing else.

python scoreboard.py http://spadille.local:8000 ABC234
"""

import json
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

WAIT, PAUSE = 20, 1.0  # seconds: for news; before asking again where none was waited for, or nobody answered


def read(server, address, etag=""):
    """What stands there, and its name; nothing new (None) where it still has the name that we know."""
    asked = Request(f"{server}/api/v1/{address}", headers={"If-None-Match": etag} if etag else {})
    try:
        with urlopen(asked, timeout=WAIT + 10) as answer:
            return json.load(answer), answer.headers.get("ETag", "")
    except HTTPError as problem:
        if problem.code == 304:
            return None, etag
        raise


def follow(server, code, show, pause=PAUSE):
    """Show the evening again whenever something has changed, until it is finished."""
    version, etag = 0, ""
    while True:
        try:
            news, _ = read(server, f"tournaments/{code}/version?after={version}&wait={WAIT}")
            if news["version"] == version:
                time.sleep(pause)
                continue
            version = news["version"]
            standings, etag = read(server, f"tournaments/{code}/standings", etag)
            if standings:
                evening, _ = read(server, f"tournaments/{code}")
                show(evening, standings)
                if standings["final"]:
                    return
        except (URLError, TimeoutError):  # the hall's network: try again
            time.sleep(pause)


def show(evening, standings):
    far = evening["progress"] or {"reported": 0, "deals": 0}
    print(f"{evening['name']}: {far['reported']} of {far['deals']} deals")
    for line in standings["items"]:
        print(f"{line['place']:>3}  {line['name']:<30} {line['total']:>+6}")
    sys.stdout.flush()


if __name__ == "__main__":
    follow(sys.argv[1], sys.argv[2], show, *map(float, sys.argv[3:]))
