"""No test measures the machine: what is late on a busy one is waited for, with one patience."""

import re

import pytest
from django.conf import settings

# A deadline of a test's own, or a duration.
OF_PROCESSES = re.compile(
    r"timeout=\d+[,)]|\.(?:wait|join)\(\d+\)|monotonic\(\) \+ \d|monotonic\(\) - \w+ <|perf_counter\("
)
# The same for pages; a sleep; the machine's clock, where `tests/browser/clock.py` has the page's own. And what looks
# once: a page's security policy forbids `wait_for_function` to look again, where `tests/browser/phone.py` has `until`.
OF_PAGES = re.compile(
    r"timeout=[\d(]|wait_for_timeout|\.wait_for_function\(|time\.(?:sleep|time|monotonic|perf_counter)\("
    r"|set_default_timeout\((?!PATIENCE)"
)
NO_TESTS = {"screenshots.py"}


@pytest.mark.parametrize(
    ("folder", "measures"),
    [
        ("browser", OF_PAGES),
        ("clubs", OF_PROCESSES),
        ("config", OF_PROCESSES),
        ("core", OF_PROCESSES),
        ("tournaments", OF_PROCESSES),
    ],
)
def test_what_comes_late_is_waited_for(folder, measures):
    files = sorted((settings.BASE_DIR / "tests" / folder).rglob("*.py"))
    found = {file.name: measures.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {name: lines for name, lines in found.items() if lines and name not in NO_TESTS} == {}
