"""Template partials as Django 6 has them: `{% partialdef name %}`, `{% partial name %}` and `page.html#name`.

Once Django 6 is required, delete this module and the two options in TEMPLATES that name it: templates stay as they are.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from django import template
from django.template.base import Node, TextNode
from django.template.loaders import cached

if TYPE_CHECKING:
    from django.template.base import NodeList, Origin, Parser, Template, Token
    from django.template.context import Context

register = template.Library()


class PartialNode(Node):
    def __init__(self, name: str, partials: dict[str, NodeList]) -> None:
        self.name, self.partials = name, partials

    def render(self, context: Context) -> str:
        if self.name not in self.partials:
            raise template.TemplateSyntaxError(f"The partial {self.name!r} is not defined in this template.")
        return self.partials[self.name].render(context)


def _partials(parser: Parser) -> dict[str, NodeList]:
    found: dict[str, NodeList] = parser.extra_data.setdefault("partials", {})
    return found


@register.tag
def partialdef(parser: Parser, token: Token) -> Node:
    """Define a partial; with `inline` it is also rendered here."""
    _tag, name, *inline = token.split_contents()
    partials = _partials(parser)
    if name in partials:
        raise template.TemplateSyntaxError(f"The partial {name!r} is defined twice.")
    partials[name] = parser.parse(("endpartialdef",))
    parser.delete_first_token()
    return PartialNode(name, partials) if inline else TextNode("")


@register.tag
def partial(parser: Parser, token: Token) -> Node:
    """Render a partial of this template, which may be defined further down."""
    _tag, name = token.split_contents()
    return PartialNode(name, _partials(parser))


class Loader(cached.Loader):
    """Finds `page.html#name`, too: that partial of the template, without the rest."""

    def get_template(self, template_name: str, skip: list[Origin] | None = None) -> Template:
        file, _, name = template_name.partition("#")
        found: Template = super().get_template(file, skip)
        if not name:
            return found
        try:
            nodes = found.extra_data["partials"][name]
        except KeyError as error:
            raise template.TemplateDoesNotExist(template_name, backend=None) from error
        part = copy(found)
        part.name, part.nodelist = template_name, nodes
        return part
