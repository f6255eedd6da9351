"""Rulebooks, and the rules of a club or tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from scoring import UnknownRulebook, get_rulebook, rulebooks
from tournaments.api.base import Shape, answered, replies
from tournaments.lifecycle.rules_text import rule_sheet

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.rules_text import RuleSaid, RuleSheet

router = Router(tags=["rules"])

RulebookId = Annotated[
    str, Path(pattern=r"^[-a-z0-9_]{1,40}$", description="The rulebook’s id: see `/rulebooks`.")
]


class RulebookLine(Shape):
    """A rulebook that can be played by."""

    id: str = Field(description="The rulebook's id.")
    name: str = Field(description="Its name, in the language asked for.")
    version: str = Field(description="The version of its rules.")
    page: str = Field(description="The address of its page in the hall.")


class Rulebooks(Shape):
    """Every rulebook."""

    items: list[RulebookLine] = Field(description="The rulebooks.")


class RuleShape(Shape):
    """A rule: its subject, its value here, and an explanation; `usual` is the rulebook's own value if it differs."""

    title: str = Field(description="What the rule is about.")
    value: str = Field(description="How it is here.")
    explanation: str = Field(description="What that means.")
    paragraph: str = Field(description="The paragraph of the rulebook; may be empty.")
    usual: str = Field(description="How the rulebook has it elsewhere; empty where it is the same.")


class PriceShape(Shape):
    """The prices of a contract, by the columns of the table."""

    contract: str = Field(description="The contract's name, in the language asked for.")
    contract_code: str = Field(description="The contract's code, as in a report.")
    prices: list[str] = Field(description="Its prices in tokens, in the order of `price_columns`.")


class RuleSheetShape(Shape):
    """All rules in force: prices, options, and a tournament's additions."""

    rulebook: str = Field(description="The rulebook's id.")
    name: str = Field(description="The rulebook's name, in the language asked for.")
    own_name: str = Field(description="What the club calls it; empty where the rulebook stands.")
    source: str = Field(description="Where the rules come from.")
    version: str = Field(description="The version of the rules.")
    price_columns: list[str] = Field(description="The headings of the prices.")
    prices: list[PriceShape] = Field(description="What each contract costs.")
    options: list[RuleShape] = Field(description="The rulebook's options, as they are chosen here.")
    played_for: list[RuleShape] = Field(description="What a tournament adds: deals, stake, ranking.")


def sheet_shape(sheet: RuleSheet) -> RuleSheetShape:
    return RuleSheetShape(
        rulebook=sheet.rulebook,
        name=sheet.name,
        own_name=sheet.own_name,
        source=sheet.source,
        version=sheet.version,
        price_columns=[str(head) for head in sheet.prices.columns],
        prices=[
            PriceShape(
                contract=str(line.contract),
                contract_code=line.code,
                prices=[str(price) for price in line.prices],
            )
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
    """A rulebook with the defaults of its options."""
    try:
        book = get_rulebook(rulebook)
    except UnknownRulebook:
        raise Http404 from None
    return answered(request, sheet_shape(rule_sheet(book)))
