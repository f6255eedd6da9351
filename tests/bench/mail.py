"""500 letters: posted in one transaction, and handed over to a mail server on this machine.

Seconds of a core; those of the mail server, a thread of the same process, apart.
"""

from __future__ import annotations

import time

from tests.bench.stage import empty_folder, setup_django

LETTERS = 500


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        from django.conf import settings
        from django.urls import get_resolver
        from django.utils import timezone

        from clubs.mail.kinds import set_consent
        from clubs.mail.letters import publish_news
        from clubs.mail.sending import send_due
        from clubs.models import Letter
        from tests.factories import make_account, make_club, make_player
        from tests.post_office import PostOffice

        _ = get_resolver().url_patterns  # as in the process that those who send are copied off
        office = PostOffice().opened()
        settings.MAIL_SERVER, settings.EMAIL_FROM = office.server, "Spadille <spadille@example.dk>"
        settings.PUBLIC_URL = "https://lhombre.example.dk"
        club = make_club()
        alice, now = make_account("alice", club), timezone.now()
        for number in range(LETTERS):
            player = make_player(f"Spiller {number}", club)
            player.email = f"{number}@example.dk"
            player.save()
            set_consent(player, ["news"], now=now)
        text = "The autumn begins on Thursday.\n\n" * 10
        for what, step in (
            ("posted", lambda: publish_news(club, subject="Autumn", text=text, account=alice, now=now)),
            ("sent", send_due),
        ):
            begun, mine, all_ = time.perf_counter(), time.thread_time(), time.process_time()
            step()
            seconds, own = time.perf_counter() - begun, time.thread_time() - mine
            others = time.process_time() - all_ - own
            print(
                f"{LETTERS} letters {what}: {seconds:.2f} s, {own:.2f} s of a core, mail server {others:.2f} s"
            )
        office.close()
        states = list(Letter.objects.values_list("state", flat=True))
        print(f"sent {states.count('sent')}, came {len({mail['To'] for mail in office.came})}")
