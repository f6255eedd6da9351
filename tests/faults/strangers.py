"""322 wishes of guests from 23 addresses, to make a club's mail server write to strangers.

    python -m tests.faults.strangers

On loopback only: a server, a mail server of the tests' own, and clients at 127.0.0.2 and above. Prints how many letters
came to strangers, whether one has the guest's words in it, and whether a member gets a link after that.
"""

from __future__ import annotations

import http.client
import json
import re
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.stage import python, running
from tests.kept import lay_out
from tests.post_office import PostOffice, text_of

WISHES, ADDRESSES, MESSAGE = 322, 23, "You won a prize"
PATIENCE = 60  # seconds
EVENING = """
import django; django.setup()
from datetime import timedelta
from django.core.management import call_command
call_command("prepare", verbosity=0)
from django.utils import timezone
from tests.factories import make_player, make_tournament
from tournaments.models.base import FromHome
day = timezone.localdate() + timedelta(days=7)
tournament = make_tournament(0, drawn=False, date=day, entering=FromHome(is_on=True, guests=True).to_json())
player = make_player("Anna Holm", tournament.host, 1)
player.email = "anna@example.org"
player.save()
import json
print(json.dumps(tournament.code))
"""


def asked(port: int, code: str, number: int, typed: dict[str, str]) -> int:
    """The status that a wish is answered with, sent from one of the addresses."""
    source = f"127.0.0.{2 + number % ADDRESSES}", 0
    path, host = f"/t/{code}/enter/", {"Host": f"localhost:{port}"}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=source)) as line:
        line.request("GET", path, headers=host)
        answer = line.getresponse()
        page = answer.read().decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        sent = urlencode(typed | {"csrfmiddlewaretoken": found[1] if found else ""})
        form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        line.request("POST", path, sent, host | form)
        answer = line.getresponse()
        answer.read()
        return answer.status


def attacked(folder: str) -> dict[str, object]:
    """What came of it, by name."""
    office = PostOffice().opened()
    mail = {
        "EMAIL_URL": f"smtp://127.0.0.1:{office.server.port}",
        "EMAIL_FROM": "Spadille <spadille@example.dk>",
        "PUBLIC_URL": "http://localhost",
        "BACKUP_MINUTES": "0",
    }
    made = python("-c", EVENING, folder=folder, DJANGO_SETTINGS_MODULE="config.settings")
    code = json.loads(made.stdout.splitlines()[-1])
    with closing(office), running(folder, **mail) as (address, _process):
        port = int(address.rpartition(":")[2])
        begun = time.monotonic()
        answers = Counter(
            asked(port, code, number, {"guest": MESSAGE, "email": f"victim{number}@d{number}.example"})
            for number in range(WISHES)
        )
        seconds = time.monotonic() - begun
        member = asked(port, code, WISHES, {"who": "1"})
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not [
            one for one in office.came if one["To"] == "anna@example.org"
        ]:
            time.sleep(0.2)
        strangers = [one for one in office.came if one["To"] != "anna@example.org"]
        return {
            "answers": dict(answers),
            "seconds": round(seconds, 1),
            "letters to strangers": len(strangers),
            "with the guest's words": sum(MESSAGE in text_of(one) for one in strangers),
            "a member is answered": member,
            "and gets a letter": len(office.came) > len(strangers),
        }


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="spadille-strangers-") as folder:
        for name, value in attacked(str(lay_out(Path(folder)))).items():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
