"""Partials of templates, as Django 6 has them."""

from __future__ import annotations

import pytest
from django.template import Context, Engine, TemplateDoesNotExist, TemplateSyntaxError

FILES = {
    "page.html": """{% block all %}<p>{% partial name %}</p>{% endblock %}\
{% partialdef name %}<b>{{ who }}</b>{% endpartialdef %}""",
    "below.html": """{% extends "page.html" %}\
{% block all %}{% partialdef row inline %}[{{ who }}]{% endpartialdef %}{% endblock %}""",
    "beside.html": "{% for who in people %}{% include 'page.html#name' %}{% cycle ',' ';' %}{% endfor %}",
    "twice.html": "{% partialdef a %}{% endpartialdef %}{% partialdef a %}{% endpartialdef %}",
    "none.html": "{% partial unknown %}",
}


@pytest.fixture
def render():
    engine = Engine(
        builtins=["core.templatetags.partials"],
        loaders=[("core.templatetags.partials.Loader", [("django.template.loaders.locmem.Loader", FILES)])],
    )
    return lambda name, **context: engine.get_template(name).render(Context(context))


@pytest.mark.parametrize(
    ("name", "rendered"),
    [
        ("page.html", "<p><b>Alice</b></p>"),
        ("page.html#name", "<b>Alice</b>"),
        ("below.html", "[Alice]"),
        ("below.html#row", "[Alice]"),
        ("beside.html", "<b>Bob</b>,<b>Charlie</b>;"),
    ],
)
def test_a_partial_is_rendered_in_its_page_and_alone(render, name, rendered):
    for _again in range(2):  # templates are cached
        assert render(name, who="Alice", people=["Bob", "Charlie"]) == rendered


@pytest.mark.parametrize("name", ["page.html#nothing", "beside.html#name", "unknown.html#name"])
def test_a_partial_that_is_not_there_is_a_template_that_is_not_there(render, name):
    with pytest.raises(TemplateDoesNotExist):
        render(name)


def test_a_partial_is_defined_once(render):
    with pytest.raises(TemplateSyntaxError, match="'a' is defined twice"):
        render("twice.html")


def test_a_partial_that_is_not_defined_is_an_error(render):
    with pytest.raises(TemplateSyntaxError, match="'unknown' is not defined"):
        render("none.html")
