"""Former English wordings of stored texts, each with its present wording.

Log lines, errors of jobs and emails, and outcomes of programs are stored as the English text that the program had then,
and are translated when shown. A wording that changes stays here, so that old rows are still translated.
"""

from __future__ import annotations

from django.utils.translation import gettext


def current_text(text: str) -> str:
    """Return the present English wording of a stored text."""
    return FORMER.get(text, text)


def translate_stored(text: str) -> str:
    """Return the translation of a stored English text into the active language."""
    return gettext(current_text(text))


FORMER: dict[str, str] = {
    "Changed the club's details": "Changed the club’s details",
    "Changed what is known of {member}": "Changed the details of {member}",
    "It was answered, or taken back, before it was sent.": "It was answered or withdrawn before it was sent.",
    "It was begun three times, and Spadille ended before it was done each time.": (
        "It was started three times, and each time Spadille stopped before it was done."
    ),
    "It was tried until it would have come too late.": "Given up: it would have arrived too late.",
    "Leave the user name and the password out of the address.": (
        "Leave the user name and password out of the address."
    ),
    "Made the key “{key}” for a program": "Created the key “{key}” for a program",
    "Nothing is imported yet: choose who the doubtful rows are.": (
        "Nothing has been imported yet: choose who each doubtful row is."
    ),
    "Posted news to {count} and to everybody: {subject}": "Sent news to {count} and to the public feed: {subject}",
    "Posted news to {count}: {subject}": "Sent news to {count}: {subject}",
    "Somebody saw it come back.": "An organiser saw it bounce.",
    "Something went wrong. What it was stands in the server's log.": (
        "Something went wrong. The details are in the server’s log."
    ),
    "The letter could not be written. What it was stands in the server's log.": (
        "The email could not be created. The details are in the server’s log."
    ),
    "The mail server did not take it this time.": "The mail server could not take it this time.",
    "The mail server does not let Spadille in: user name or password in EMAIL_URL are wrong.": (
        "The mail server rejects the login: the user name or password in EMAIL_URL is wrong."
    ),
    "The mail server refuses it for good.": "The mail server refuses it permanently.",
    "The members have changed since you saw this. Look once more; nothing is imported yet.": (
        "The members have changed since you saw this. Check it again; nothing has been imported yet."
    ),
    "There is no machine of this name.": "No server has this name.",
    "There is no such account any more, or it is closed.": "This account no longer exists, or is closed.",
    "These news are no longer kept.": "This news item is no longer kept.",
    "They have stopped these letters.": "They have unsubscribed from these emails.",
    "This address is of this machine, or of a network of its own: it is not told.": (
        "This address is on this machine or a private network. Nothing is sent there."
    ),
    "This is no address of the web: it begins with https://, or http://.": (
        "This is not a web address: it must begin with https:// or http://."
    ),
    "This is no mail address.": "This is not an email address.",
    "This list is imported already, or was dropped.": "This list has already been imported or discarded.",
    "This port is not for the web.": "This port is not a web port.",
    "Took out of the feed: {subject}": "Removed from the feed: {subject}",
    "Whom it names, or what they are called, has changed since. Make it anew.": (
        "People in this file have changed since it was made. Create it again."
    ),
    "With what you chose, other rows are refused than before. Nothing is imported yet.": (
        "With your choices, different rows are now rejected. Nothing has been imported yet."
    ),
    "{address} has not taken what it was told, and is not tried any more: {event}": (
        "{address} did not accept an event, and no more attempts are made: {event}"
    ),
    "{address} is not told of evenings any more": "{address} no longer receives events",
    "{address} is told again what was given up: {count}": (
        "Events that could not be delivered to {address} are sent again: {count}"
    ),
    "{address} is told of evenings": "{address} now receives events",
    "{before} is called {name} from now on": "{before} is now called {name}",
    "{colleague} has no role any more": "{colleague} no longer has a role",
    "{colleague} is asked to be a helper": "{colleague} has been asked to be a helper",
    "{colleague} is asked to be an organiser": "{colleague} has been asked to be an organiser",
    "{colleague} is not asked any more to take a role": "The offer of a role to {colleague} was withdrawn",
}
