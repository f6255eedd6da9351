"""What has changed in a drawn part: rows that stay, by their places, and new ones as HTML."""

from __future__ import annotations

import time

import pytest

from core.serving.streams import Drawn, attribute, changes, with_sum


def drawn(*rows: str, title: str = "Standings", version: int = 1, checksum: str = "a") -> Drawn:
    lines = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    head = f'<div data-sum="{checksum}" data-version="{version}">{title}<table><tbody>'
    return Drawn(f"{head}{lines}</tbody></table></div>")


def row(text: str) -> str:
    return f"<tr><td>{text}</td></tr>"


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("abc", "abc", [[0, 3]]),
        ("abc", "abd", [[0, 2], row("d")]),
        ("abc", "cab", [[2, 1], [0, 2]]),
        ("abcd", "axcd", [[0, 1], row("x"), [2, 2]]),
        ("aab", "aba", [[0, 1], [2, 1], [1, 1]]),
        ("ab", "aa", [[0, 1], row("a")]),  # one row is no two
    ],
)
def test_rows_that_stay_are_named_by_their_places_and_others_come_whole(before, now, expected):
    assert changes(drawn(*before).fingerprint, drawn(*now)) == expected


def test_what_says_the_version_is_no_change():
    before, now = drawn("a", version=1, checksum="a"), drawn("a", version=22, checksum="b")
    assert changes(before.fingerprint, now) == [[0, 1]]


@pytest.mark.parametrize("now", [drawn("a", "b", title="Final"), drawn("a", "b", "c"), drawn("a")])
def test_another_frame_or_number_of_rows_is_drawn_whole(now):
    assert changes(drawn("a", "b").fingerprint, now) is None


def test_a_row_is_the_innermost_element_of_its_kind():
    part = Drawn("<ul><li><p>one</p></li><li>two <b>2</b></li></ul><svg><text>3</text></svg><pre>4</pre>")
    assert part.rows == ["<p>one</p>", "<li>two <b>2</b></li>", "<svg><text>3</text></svg>"]
    assert part.frame == "<ul><li>\0</li>\0</ul>\0<pre>4</pre>"


def test_an_element_of_text_alone_is_a_row_outside_others():
    part = Drawn(
        "<h1>A</h1><div><progress></progress>1 <b>2</b></div><ul><li><b>3</b></li></ul><span>4 <b>5</b></span>"
    )
    assert part.rows == ["<h1>A</h1>", "<progress></progress>", "<b>2</b>", "<li><b>3</b></li>", "<b>5</b>"]
    assert part.frame == "\0<div>\0" + "1 \0</div><ul>\0</ul><span>4 \0</span>"


def test_another_token_of_a_form_is_no_change():
    def part(token: str) -> str:
        return f'<p data-version="1">a</p><form><input name="csrfmiddlewaretoken" value="{token}"></form>'

    assert changes(Drawn(part("x")).fingerprint, Drawn(part("y"))) == [[0, 1]]
    assert attribute(with_sum(part("x")), "sum") == attribute(with_sum(part("y")), "sum")
    assert attribute(with_sum(part("x").replace(">a<", ">b<")), "sum") != attribute(
        with_sum(part("x")), "sum"
    )


def test_a_row_is_found_by_the_number_of_its_player():
    first, second = '<tr><a href="/t/A/player/7/">x</a></tr>', '<tr><a href="/t/A/player/12/">y</a></tr>'
    assert Drawn(f"<p>/9/</p><tr>head</tr>{first}{second}").by_number == {"7": first, "12": second}


def test_thousands_of_rows_are_told_apart_in_little_time():
    cells = "".join(f"<td class='c{number}'>{number}</td>" for number in range(10))
    many = [f"{cells}{number}" for number in range(5000)]
    begun = time.process_time()
    found = changes(drawn(*many).fingerprint, drawn(*many[1:], many[0]))
    assert found == [[1, 4999], [0, 1]]
    assert time.process_time() - begun < 5  # 0.1 s here; each letter tried by itself took minutes
