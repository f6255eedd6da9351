"""What downloads are called: readable, with their own letters, and safe in a header."""

import pytest

from core.http.responses import PDF, file_name, file_response


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (("Vejle L'Hombreklub", "Sæson 2026"), "vejle-lhombreklub-sæson-2026.pdf"),
        (("Ålborg", 'a "quoted"\r\nname/../x'), "ålborg-a-quoted-namex.pdf"),
        (("x" * 200,), f"{'x' * 150}.pdf"),
    ],
)
def test_a_file_is_called_by_what_it_is_of(said, name):
    assert file_name(*said, kind="pdf") == name


def test_letters_beyond_ascii_come_through_the_header():
    answer = file_response(b"x", PDF, "Sæson", attached=True)
    assert answer.headers["Content-Disposition"] == "attachment; filename*=utf-8''s%C3%A6son.pdf"
