"""Rulebooks, and the rules as somebody plays by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from scoring import UnknownRulebook, get_rulebook, rulebooks
from tournaments.api.answers import answered
from tournaments.api.shapes import Shape, replies
from tournaments.setup.rules_said import rule_sheet

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.setup.rules_said import RuleSaid, RuleSheet

router = Router(tags=["rules"])

RulebookId = Annotated[str, Path(pattern=r"^[-a-z0-9_]{1,40}$")]


class RulebookLine(Shape):
    """A rulebook that can be played by."""

    id: str
    name: str
    version: str
    page: str = Field(description="The address of its page in the hall.")


class Rulebooks(Shape):
    """Every rulebook."""

    items: list[RulebookLine]


class RuleShape(Shape):
    """What it is about, how it is here, and what that means; `usual` is how the rulebook has it elsewhere."""

    title: str
    value: str
    explanation: str
    paragraph: str
    usual: str


class PriceShape(Shape):
    """What a contract costs, by the columns of the table."""

    contract: str
    prices: list[str]


class RuleSheetShape(Shape):
    """All that is in force: prices, options, and what a tournament adds."""

    rulebook: str
    name: str
    own_name: str = Field(description="What the club calls it; empty where the rulebook stands.")
    source: str
    version: str
    price_columns: list[str]
    prices: list[PriceShape]
    options: list[RuleShape]
    played_for: list[RuleShape]


def sheet_shape(sheet: RuleSheet) -> RuleSheetShape:
    return RuleSheetShape(
        rulebook=sheet.rulebook,
        name=sheet.name,
        own_name=sheet.own_name,
        source=sheet.source,
        version=sheet.version,
        price_columns=[str(head) for head in sheet.prices.columns],
        prices=[
            PriceShape(contract=str(line.contract), prices=[str(price) for price in line.prices])
            for line in sheet.prices.lines
        ],
        options=[_rule(rule) for rule in sheet.options],
        played_for=[_rule(rule) for rule in sheet.played_for],
    )


def _rule(rule: RuleSaid) -> RuleShape:
    return RuleShape(
        title=str(rule.title),
        value=str(rule.value),
        explanation=str(rule.explanation),
        paragraph=str(rule.paragraph),
        usual=str(rule.usual),
    )


@router.get("/rulebooks", response=replies(Rulebooks))
def all_rulebooks(request: HttpRequest) -> HttpResponseBase:
    """Every rulebook that can be played by."""
    items = [
        RulebookLine(
            id=book.id, name=_(book.name), version=book.version, page=reverse("rules_sheet", args=[book.id])
        )
        for book in rulebooks()
    ]
    return answered(request, Rulebooks(items=items))


@router.get("/rulebooks/{str:rulebook}", response=replies(RuleSheetShape))
def one_rulebook(request: HttpRequest, rulebook: RulebookId) -> HttpResponseBase:
    """A rulebook as it is played unless a tournament says otherwise."""
    try:
        book = get_rulebook(rulebook)
    except UnknownRulebook:
        raise Http404 from None
    return answered(request, sheet_shape(rule_sheet(book)))
