"""What is printed for the door: the check-in list and seat cards, of however many who may come."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, gettext_noop

from tournaments.paper.check_in import MOST_PEOPLE, list_pages, who_may_come
from tournaments.paper.door_cards import A_PAGE, card_pages
from tournaments.paper.papers_job import OfPapers, Paper

NOBODY = gettext_noop("Nobody is entered yet.")


class DoorPaper(OfPapers):
    """The check-in list, or seat cards; told with them: `base_url`, where the hall is reached."""

    code = "door"
    asked_on = "desk_list"
    papers = {
        "list": Paper(gettext_lazy("Check-in list"), who_may_come, list_pages, MOST_PEOPLE, NOBODY),
        "cards": Paper(gettext_lazy("Seat cards"), who_may_come, card_pages, A_PAGE, NOBODY),
    }
