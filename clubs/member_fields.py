"""The fields of a member list: what they are called, and the headings that they are known by."""

import re

from django.utils.translation import gettext_lazy

from clubs.list_fields import ListFields

HIGHEST_NUMBER = 999_999_999

FIELDS = ListFields(
    code="members",
    labels={
        "name": gettext_lazy("Name"),
        "first": gettext_lazy("First name"),
        "middle": gettext_lazy("Middle name"),
        "last": gettext_lazy("Last name"),
        "number": gettext_lazy("Member number"),
        "phone": gettext_lazy("Phone"),
        "email": gettext_lazy("Email"),
        "joined": gettext_lazy("Joined"),
        "left": gettext_lazy("Left"),
        "club": gettext_lazy("Club"),
    },
    english={
        "name": "name fullname membername player member",
        "first": "firstname first givenname forename forenames christianname",
        "middle": "middlename middle",
        "last": "lastname last surname familyname",
        "number": "membernumber memberno membershipnumber membershipno number no",
        "joined": "joined joineddate datejoined membersince",
        "left": "left leftdate dateleft",
        "email": "email mail emailaddress",
        "club": "club clubname",
        "phone": "phone phonenumber telephone telephonenumber mobile mobilephone cell cellphone",
    },
    several=frozenset({"phone", "email"}),
    names=frozenset({"name", "first", "last"}),
    samples={
        "email": re.compile(r".*\S+@\S+\.\S+.*"),
        "joined": re.compile(r"\d{4}-\d\d?-\d\d?.*|\d\d?[-./]\d\d?[-./]\d{2,4}"),
        "phone": re.compile(r"[+(]?\d[\d ()-]{6,16}\d"),
        "number": re.compile(r"\d{1,5}"),
        "name": re.compile(
            r"(?:[^\W\d_a-zæøåäö][^\s\d@]*[\s,]+)(?:(?:[^\W\d_a-zæøåäö][^\s\d@]*|af|von|van|de)\s*)+"
        ),
    },
)
