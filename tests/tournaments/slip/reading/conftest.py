import pytest
from django.utils import timezone

from scoring.rulebooks import get_rulebook
from tests.factories import first_round, make_tournament
from tests.photographs.made import page_of
from tournaments.models import PrintedSheet
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.making import pdf_of
from tournaments.slip.reading.geometry import read_layout

MADE = []


@pytest.fixture
def unions_page(db):
    """The union's sheet of forty deals as it is printed: its picture, layout and rules. Made once."""
    if not MADE:
        round_ = first_round(make_tournament(4, rulebook="union", deals_per_round=40))
        pages = KINDS["ticked"].pages(Order(round_, "http://192.168.1.24:8000", timezone.now()))
        page = page_of(pdf_of(pages, "Sheet"))
        MADE.append((page, read_layout(PrintedSheet.objects.get().layout), get_rulebook("union")))
    return MADE[0]
