import pytest
from django.utils import timezone

from core.pdf.files import pdf_of
from scoring.rulebooks import get_rulebook
from tests.factories import first_round, make_tournament
from tests.photographs.made import page_of
from tournaments.models import PrintedSheet
from tournaments.paper.kinds import KINDS, Order
from tournaments.reporting.reader.layout import read_layout

MADE = {}


@pytest.fixture
def page_for(db):
    """A rulebook's sheet as it is printed: its picture, layout and rules. Each made once."""

    def made(rulebook, players, deals, **options):
        sheet = (rulebook, *options.items())
        if sheet not in MADE:
            told = {
                "rulebook": rulebook,
                "deals_per_round": deals,
                "deals_at_three": deals,
                "options": options,
            }
            round_ = first_round(make_tournament(players, **told))
            pages = KINDS["ticked"].pages(Order(round_, "http://192.168.1.24:8000", timezone.now()))
            page = page_of(pdf_of(pages, "Sheet"))
            kept = PrintedSheet.objects.get(table__round=round_)
            MADE[sheet] = (page, read_layout(kept.layout), get_rulebook(rulebook, options))
        return MADE[sheet]

    return made


@pytest.fixture
def unions_page(page_for):
    """The union's sheet of forty deals."""
    return page_for("union", 4, 40)
