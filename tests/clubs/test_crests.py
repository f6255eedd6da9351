"""A club's crest and colour: whatever is sent is made anew and small, or refused in words; a colour is made safe."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image, ImageColor, ImageDraw, ImageFile

from clubs.crests import ENOUGH, IVORY, contrast, crest_for_paper, safe_colour
from clubs.models import ClubLogEntry, Crest
from tests.factories import make_tournament
from tournaments.paper.page import Occasion


def picture(kind="PNG", size=(800, 400), **options):
    written = io.BytesIO()
    Image.new("RGBA" if kind != "JPEG" else "RGB", size, "#7a1f2b").save(written, kind, **options)
    return written.getvalue()


def send(client, club, data, name="crest.png", colour="#14432f"):
    file = SimpleUploadedFile(name, data) if data is not None else ""
    return client.post(reverse("club_crest", args=[club.slug]), {"picture": file, "colour": colour})


# Colours


@pytest.mark.parametrize(
    "chosen", ["#ffffff", "#000000", "#ff0000", "#ffff00", "#00ff00", "#0000ff", "#14432f", "#7f7f7f"]
)
def test_ivory_can_be_read_on_whatever_is_chosen(chosen):
    assert contrast(IVORY, safe_colour(chosen)) >= ENOUGH


def test_a_colour_that_is_dark_enough_stays_and_another_keeps_its_hue():
    assert safe_colour("#14432F") == "#14432f"
    red, green, blue = (int(safe_colour("#ff0000")[at : at + 2], 16) for at in (1, 3, 5))
    assert red > 0 == green == blue


@pytest.mark.parametrize("chosen", ["", "red", "#12345", "#12345g", "#1234567"])
def test_what_is_no_colour_is_none(chosen):
    with pytest.raises(ValueError, match=f"^{chosen}$"):
        safe_colour(chosen)


# Pictures


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_made_anew_small_and_without_what_else_was_in_the_file(as_alice, club, kind):
    about = Image.Exif()
    about[0x010E] = "secret"  # a description, as cameras and programs write it
    assert send(as_alice, club, picture(kind, exif=about)).status_code == 302
    club.refresh_from_db()
    kept = bytes(Crest.objects.get(club=club).picture)
    with Image.open(io.BytesIO(kept)) as made:
        assert (made.format, made.size) == ("WEBP", (132, 66))
    assert b"secret" not in kept
    answer = as_alice.get(reverse("hall_crest", args=[club.slug, club.crest]))
    assert (answer.content, answer["Content-Type"]) == (kept, "image/webp")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
            "This picture cannot be read",
        ),
        (picture()[:60], "This picture cannot be read"),
        (b"", "This picture cannot be read"),
        (picture() + bytes(2 * 1024 * 1024), "at most 2 MB"),
        (picture(size=(4000, 2001)), "at most 8 megapixels"),
    ],
    ids="drawing cut_off empty heavy large".split(),
)
def test_what_is_no_small_picture_is_refused_at_its_field_and_nothing_is_changed(as_alice, club, data, said):
    answer = send(as_alice, club, data, colour="#7a1f2b")
    assert said in answer.context["form"].errors["picture"][0]
    assert 'value="#7a1f2b"' in answer.content.decode()
    club.refresh_from_db()
    assert (club.has_look, Crest.objects.count()) == (False, 0)


def drawn(colour, around=(0, 0, 0, 0)):
    """A disc of a colour on nothing, or on what is said."""
    written, image = io.BytesIO(), Image.new("RGBA", (132, 144), around)
    ImageDraw.Draw(image).ellipse((20, 20, 112, 124), fill=colour)
    image.save(written, "PNG")
    return written.getvalue()


@pytest.mark.parametrize(
    ("colour", "around", "ground"),
    [
        ("#000000", (0, 0, 0, 0), IVORY),
        ("#7a1f2b", (0, 0, 0, 0), IVORY),
        ("#ffffff", (0, 0, 0, 0), "#7a1f2b"),
        ("#f2d68e", (0, 0, 0, 0), "#7a1f2b"),
        ("#000000", (0, 0, 255, 255), "#0000ff"),
    ],
    ids="black dark white gold its_own".split(),
)
def test_a_picture_has_a_ground_of_its_own_on_which_it_is_seen(as_alice, club, colour, around, ground):
    send(as_alice, club, drawn(colour, around), colour="#7a1f2b")
    with Image.open(io.BytesIO(bytes(Crest.objects.get(club=club).picture))) as made:
        assert made.mode == "RGB"
        corner, middle = made.getpixel((2, 2)), made.getpixel((66, 72))
    near = [abs(one - other) < 12 for one, other in zip(corner, ImageColor.getrgb(ground), strict=True)]
    assert near == [True] * 3
    assert contrast(*("#{:02x}{:02x}{:02x}".format(*each) for each in (corner, middle))) >= 2


def test_a_picture_of_nothing_is_refused(as_alice, club):
    answer = send(as_alice, club, drawn((9, 9, 9, 0)))
    assert "This picture is empty" in answer.context["form"].errors["picture"][0]
    assert Crest.objects.count() == 0


def test_a_picture_that_was_cut_off_is_refused_after_sheets_were_printed_too(as_alice, club, monkeypatch):
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", True)
    answer = send(as_alice, club, picture()[:60], colour="#7a1f2b")
    assert "This picture cannot be read" in answer.context["form"].errors["picture"][0]
    assert ImageFile.LOAD_TRUNCATED_IMAGES


def test_a_colour_that_is_none_is_refused_at_its_field(as_alice, club):
    assert "colour" in send(as_alice, club, None, colour="green").context["form"].errors


# What follows


def test_a_change_is_seen_everywhere_at_once_is_logged_and_one_button_takes_it_back(as_alice, club, client):
    tournament = make_tournament(4, club=club)
    hall = reverse("hall", args=[tournament.code])
    assert 'class="crest"' not in client.get(hall).content.decode()
    send(as_alice, club, None, colour="#7a1f2b")
    for page in (hall, reverse("hall_club", args=[club.slug]), reverse("projector", args=[tournament.code])):
        html = client.get(page).content.decode()
        assert ['<svg class="crest"' in html, '<svg class="club-edge"' in html] == [True, True], page
        assert 'fill="#7a1f2b"' in html
    send(as_alice, club, picture())
    club.refresh_from_db()
    assert reverse("hall_crest", args=[club.slug, club.crest]) in client.get(hall).content.decode()
    tournament.refresh_from_db()
    assert Occasion(tournament.rounds.get(), tournament.created_at).crest.startswith(
        "data:image/webp;base64,"
    )
    for _twice in range(2):
        as_alice.post(reverse("club_crest_remove", args=[club.slug]))
    club.refresh_from_db()
    assert (club.crest, club.colour, Crest.objects.count()) == ("", "", 0)
    assert 'class="crest"' not in client.get(hall).content.decode()
    assert [entry.text for entry in ClubLogEntry.objects.filter(club=club).order_by("pk")] == [
        "Changed the club’s crest and colour", "Changed the club’s crest and colour",
        "Removed the club’s crest and colour",
    ]  # fmt: skip


def test_a_sheet_is_made_where_the_picture_has_been_removed_meanwhile(club):
    club.crest = "0123456789abcdef"  # as it was read a moment ago
    assert crest_for_paper(club) == ""
