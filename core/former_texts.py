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
    current = current_text(text)
    return gettext(current)


FORMER: dict[str, str] = {
    "deal to look at later": "deal to check later",
    "rare, to be looked at": "rare, to be checked",
    "Such tricks are rare. Are they right?": "These trick numbers are rare. Are they right?",
    "A backup was put in the place of what was there: {file}": "The data were replaced by a backup: {file}",
    (
        "A contract's price is for a win and for a plain loss; a kodille costs so much more, in some "
        "contracts for every trick."
    ): (
        "A contract’s price covers a win and a plain loss; a kodille costs this much more, in some "
        "contracts for every trick."
    ),
    "A record of the club: {name} came back by {value} tokens from below nought.": (
        "A club record: {name} came back by {value} tokens from below zero."
    ),
    "A record of the club: {name} won {value} on one evening.": (
        "A club record: {name} won {value} in one evening."
    ),
    "A record of the club: {name} won {value} tokens in a round.": (
        "A club record: {name} won {value} tokens in a round."
    ),
    "A record of the club: {name} won {value} tokens on the evening.": (
        "A club record: {name} won {value} tokens in the evening."
    ),
    "A record of the club: {name} won {value} tokens with a tout.": (
        "A club record: {name} won {value} tokens with a tout."
    ),
    "A record of the club: {name} won {value} tokens with one deal.": (
        "A club record: {name} won {value} tokens with one deal."
    ),
    "Biggest comeback of an evening": "Biggest comeback in an evening",
    "Boards of round {round} dealt anew: {reason}": "Dealt the boards of round {round} again: {reason}",
    "Changed the club's details": "Changed the club’s details",
    "Changed what is known of {member}": "Changed the details of {member}",
    "Closed round {round} before every player had said yes to the sheet of table {yes}: {reason}": (
        "Closed round {round} before every player had agreed to the sheet of table {yes}: {reason}"
    ),
    (
        "Closed round {round} while deals were missing at table {deals}, and before every player had said "
        "yes to the sheet of table {yes}: {reason}"
    ): (
        "Closed round {round} while deals were missing at table {deals}, and before every player had "
        "agreed to the sheet of table {yes}: {reason}"
    ),
    "Declined {count} guests who had not proved who they are": (
        "Declined {count} guests who had not confirmed who they are"
    ),
    "Draw: as few repeats as can be, rather than an even share of tables of three": (
        "Draw: as few repeats as possible, rather than sharing tables of three evenly"
    ),
    "Draw: tables of three are shared evenly, whatever repeats that costs": (
        "Draw: share tables of three evenly, whatever the repeats"
    ),
    "Drawn into its group by place in “{place_in}”; the lot has the seed {seed}": (
        "Drawn into its group by place in “{place_in}”; seed of the draw: {seed}"
    ),
    "Drawn into its group by rating; the lot has the seed {seed}": (
        "Drawn into its group by rating; seed of the draw: {seed}"
    ),
    "Entered the results of “{event}” ({year}), from before the program": (
        "Entered the results of “{event}” ({year}) from before Spadille"
    ),
    "Entering from home: changed what is allowed, {places} places": (
        "Entry from home: changed the settings, {places} places"
    ),
    "Evenings, standings and results of L'Hombre tournaments.": (
        "Evenings, standings and results of L’Hombre tournaments."
    ),
    "How often each game of L'Hombre is won, by contract, trumps and seat.": (
        "How often each game of L’Hombre is won, by contract, trumps and seat."
    ),
    "How often {person} wins each game of L'Hombre, by contract, trumps and seat.": (
        "How often {person} wins each game of L’Hombre, by contract, trumps and seat."
    ),
    "It has changed meanwhile.": "It has changed in the meantime.",
    "It was answered, or taken back, before it was sent.": "It was answered or withdrawn before it was sent.",
    "It was begun three times, and Spadille ended before it was done each time.": (
        "It was started three times, and each time Spadille stopped before it was done."
    ),
    "It was reported otherwise.": "It was reported differently.",
    "It was tried until it would have come too late.": "Given up: it would have arrived too late.",
    "Leave the user name and the password out of the address.": (
        "Leave the user name and password out of the address."
    ),
    "Let the clock of round {round} go on": "Resumed the clock of round {round}",
    "Longest run without a bet": "Longest run without a bête",
    "Made a web site of the hall as a file": "Created a website of the hall as a file",
    "Made of who goes on from “{stage}”": "Created from the qualifiers of “{stage}”",
    "Made the key “{key}” for a program": "Created the key “{key}” for a program",
    "Most solos won on an evening": "Most solos won in an evening",
    "Most tokens of a deal": "Most tokens in a deal",
    "Most tokens of a round": "Most tokens in a round",
    "Most tokens of an evening": "Most tokens in an evening",
    "Nobody waits for a yes any more.": "No one is still waiting for approval.",
    "Nothing is imported yet: choose who the doubtful rows are.": (
        "Nothing has been imported yet: choose who each doubtful row is."
    ),
    "Nothing is ticked here, though later deals were played.": (
        "Nothing is ticked here, although later deals were played."
    ),
    "Objections are heard until {until} now": "Objections can now be made until {until}",
    "Payment {number} of {amount} øre has not been made after all": (
        "Payment {number} of {amount} øre was unticked"
    ),
    "Payment {number}: the club’s box has paid {payee} {amount} øre": (
        "Payment {number}: the club’s cash box has paid {payee} {amount} øre"
    ),
    "Payment {number}: {payer} has paid the club’s box {amount} øre": (
        "Payment {number}: {payer} has paid the club’s cash box {amount} øre"
    ),
    (
        "Played by version {version} of the rules now, in place of {was}; deals that come to something "
        "else: {count}"
    ): ("Now played by version {version} of the rules instead of {was}; deals scoring differently: {count}"),
    "Posted news to {count} and to everybody: {subject}": (
        "Sent news to {count} and to the public feed: {subject}"
    ),
    "Posted news to {count}: {subject}": "Sent news to {count}: {subject}",
    "Posted the final standings: objections are heard until {until}": (
        "Published the final standings: objections until {until}"
    ),
    "Printed the folders of round {round}: whoever has the paper knows the cards": (
        "Printed the folders of round {round}: anyone with the paper knows the cards"
    ),
    "Put back the championship “{championship}”": "Restored the championship “{championship}”",
    "Put back the results of “{event}” ({year}), from before the program": (
        "Restored the results of “{event}” ({year}) from before Spadille"
    ),
    "Put back the season “{season}”": "Restored the season “{season}”",
    "Removed the results of “{event}” ({year}), from before the program": (
        "Removed the results of “{event}” ({year}) from before Spadille"
    ),
    "Round {round}, table {table} goes on": "Round {round}, table {table} continues",
    "Round {round}, table {table}: a late report of deal {deal} waits again": (
        "Round {round}, table {table}: a late report of deal {deal} is waiting again"
    ),
    "Round {round}, table {table}: new captain's link": "Round {round}, table {table}: new captain’s link",
    (
        "Round {round}, table {table}: put a forgotten deal in as deal {deal}, the later ones move up: "
        "{reason}"
    ): (
        "Round {round}, table {table}: inserted a forgotten deal as deal {deal}; later ones move up: {reason}"
    ),
    "Round {round}, table {table}: took a code of the captain’s phone, deals {deals}": (
        "Round {round}, table {table}: accepted a code from the captain’s phone, deals {deals}"
    ),
    "Round {round}, table {table}: took back that {newcomer} plays for {player}: {reason}": (
        "Round {round}, table {table}: undid that {newcomer} plays for {player}: {reason}"
    ),
    (
        "Round {round}, table {table}: took back that {one} and {other} change seats from deal {deal} on: "
        "{reason}"
    ): (
        "Round {round}, table {table}: undid that {one} and {other} swap seats from deal {deal} on: {reason}"
    ),
    "Round {round}, table {table}: took back that {player} deals from deal {deal} on: {reason}": (
        "Round {round}, table {table}: undid that {player} deals from deal {deal} on: {reason}"
    ),
    "Round {round}, table {table}: took deal {deal} out, the later ones move down: {reason}": (
        "Round {round}, table {table}: removed deal {deal}; later ones move down: {reason}"
    ),
    "Round {round}, table {table}: took in a late report of deal {deal}": (
        "Round {round}, table {table}: accepted a late report of deal {deal}"
    ),
    "Round {round}, table {table}: took in deal {deal} by the captain’s code": (
        "Round {round}, table {table}: accepted deal {deal} from the captain’s code"
    ),
    "Round {round}, table {table}: {one} and {other} change seats from deal {deal} on: {reason}": (
        "Round {round}, table {table}: {one} and {other} swap seats from deal {deal} on: {reason}"
    ),
    "Round {round}, table {table}: {player} came late and is the fourth": (
        "Round {round}, table {table}: {player} arrived late and is the fourth"
    ),
    "Round {round}, table {table}: {player} got up again before the first deal": (
        "Round {round}, table {table}: {player} was removed again before the first deal"
    ),
    "Round {round}, table {table}: “{words}” waits again": (
        "Round {round}, table {table}: “{words}” is waiting again"
    ),
    "Round {round}: the ruling on {match} is taken back": "Round {round}: withdrew the ruling on {match}",
    "Round {round}: {first} and {second} changed seats": "Round {round}: {first} and {second} swapped seats",
    "Round {round}: {first} sits in for {second}, who has the bye instead": (
        "Round {round}: {first} sits in for {second}, who takes the bye instead"
    ),
    "Ruled by the organiser": "Decided by a ruling",
    "Saved all that is known of {member} as a file": "Saved all data about {member} as a file",
    "Saved what everybody gets or owes as a file": "Saved what everyone gets or owes as a file",
    "Sent again by the phone: an older backup was restored.": (
        "Sent again by the phone after an older backup was restored."
    ),
    "Set the tournament up": "Set up the tournament",
    "Set-up: changed the club that holds it": "Set-up: changed the hosting club",
    "Set-up: changed the hour at which it begins": "Set-up: changed the starting time",
    "Set-up: changed what places go by": "Set-up: changed how places are decided",
    "Set-up: changed whether places go by the average for each match": (
        "Set-up: changed whether places go by the average per match"
    ),
    "Set-up: {value} deals a round now": "Set-up: now {value} deals per round",
    "Set-up: {value} deals at a table of three now": "Set-up: now {value} deals at a table of three",
    "Set-up: {value} rounds now": "Set-up: now {value} rounds",
    "Somebody saw it come back.": "An organiser saw it bounce.",
    "Something went wrong. What it was stands in the server's log.": (
        "Something went wrong. The details are in the server’s log."
    ),
    "Taken in from a file without a chain: nothing vouches for what was done before": (
        "Imported from a file without a hash chain: nothing proves what was done before"
    ),
    "The draw was changed, or the evening called off, before it was sent.": (
        "The draw was changed or the evening called off before it was sent."
    ),
    "The guest {was} is called {player}": "The guest {was} is now called {player}",
    "The letter could not be written. What it was stands in the server's log.": (
        "The email could not be created. The details are in the server’s log."
    ),
    (
        "The library for PDFs, Pango, is missing. How it comes to Windows is told in WeasyPrint's "
        "documentation, under “Installation”."
    ): (
        "The PDF library Pango is missing. WeasyPrint’s documentation, under “Installation”, explains how "
        "to install it on Windows."
    ),
    "The mail server did not take it this time.": "The mail server could not accept it this time.",
    "The mail server does not let Spadille in: user name or password in EMAIL_URL are wrong.": (
        "The mail server rejects the login: the user name or password in EMAIL_URL is wrong."
    ),
    "The mail server refuses it for good.": "The mail server refuses it permanently.",
    "The members have changed since you saw this. Look once more; nothing is imported yet.": (
        "The members have changed since you saw this. Check it again; nothing has been imported yet."
    ),
    "The prizes by place that are no money are now: {things}": (
        "Prizes other than money, by place, are now: {things}"
    ),
    "The round has been drawn anew meanwhile. Ask for its sheets again.": (
        "The round has been drawn again in the meantime. Request its sheets again."
    ),
    "The rules of L'Hombre in words and prices, and who pays whom and why.": (
        "The rules of L’Hombre in words and prices, and who pays whom and why."
    ),
    "The season’s evenings were changed again and again while they were counted. Try again in a moment.": (
        "The season’s evenings kept changing while they were counted. Try again in a moment."
    ),
    "The standings were not final any more when it was to be sent.": (
        "The standings were no longer final when it was due to be sent."
    ),
    (
        "The system's library for PDFs is missing. As root: apt-get install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
    ): (
        "The system’s library for PDFs is missing. As root: apt-get install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
    ),
    "The system's library for PDFs is missing. In a terminal: brew install pango": (
        "The system’s library for PDFs is missing. In a terminal: brew install pango"
    ),
    "The time for objections is over: the standings are final": (
        "The objection period is over: the standings are final"
    ),
    "The tournament is no longer there.": "The tournament no longer exists.",
    "There is no machine of this name.": "No server has this name.",
    "There is no such account any more, or it is closed.": "This account no longer exists or is closed.",
    "There is no such club any more.": "This club no longer exists.",
    "There is no such season any more.": "This season no longer exists.",
    "There is no such tournament any more.": "This tournament no longer exists.",
    "These news are no longer kept.": "This news item has been deleted.",
    "They have stopped these letters.": "They have unsubscribed from these emails.",
    "This address is of this machine, or of a network of its own: it is not told.": (
        "This address is on this machine or a private network. Nothing will be sent to it."
    ),
    "This browser’s push service is not known here, so the phone cannot be told.": (
        "This browser’s push service is not supported here, so the phone cannot get notifications."
    ),
    "This is no address of the web: it begins with https://, or http://.": (
        "This is not a web address: it must begin with https:// or http://."
    ),
    "This is no mail address.": "This is not an email address.",
    (
        "This is too long to be drawn while you wait. Take it as a file for a spreadsheet instead, or ask "
        "an organiser."
    ): ("This is too long to be made while you wait. Save it as a spreadsheet instead, or ask an organiser."),
    (
        "This ladder is too long to be drawn while you wait. Take it as a file for a spreadsheet instead. "
        "It also stands in the season’s yearbook, without a column for each evening: an organiser can have "
        "that made."
    ): (
        "This ladder is too long to be made while you wait. Save it as a spreadsheet instead. It is also "
        "in the season’s yearbook, without a column for each evening; an organiser can create that."
    ),
    "This list is imported already, or was dropped.": "This list has already been imported or discarded.",
    "This port is not for the web.": "This port is not a web port.",
    "Took out of the feed: {subject}": "Removed from the feed: {subject}",
    "Took the clock of round {round} away": "Removed the clock of round {round}",
    "Took the start of round {round} back": "Undid the start of round {round}",
    "Took the tournament up again": "Reinstated the tournament",
    "Very many sheets are being made just now. Wait a minute, then try again.": (
        "Many sheets are being made right now. Wait a minute and try again."
    ),
    "Whom it names, or what they are called, has changed since. Make it anew.": (
        "People in this file have changed since it was made. Create it again."
    ),
    "Whom {person} has met at a table of L'Hombre, and how they fared.": (
        "Who {person} has met at the table, and how they did against each other."
    ),
    "With what you chose, other rows are refused than before. Nothing is imported yet.": (
        "With your choices, different rows are now rejected. Nothing has been imported yet."
    ),
    "by lot, from the tournament's code and the player's number": (
        "by lot, from the tournament’s code and the player’s number"
    ),
    "came late": "arrived late",
    "so it stands on the paper": "this is what the paper says",
    "{address} has not taken what it was told, and is not tried any more: {event}": (
        "{address} did not accept an event; no more attempts will be made: {event}"
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
    "{colleague} takes no role": "{colleague} has declined the role",
    "{count} who had not answered the mail are declined": (
        "Declined {count} people who had not answered the email"
    ),
    "{host}: evenings for your calendar, news, and standings for your own web site.": (
        "{host}: evenings for your calendar, news, and standings for your own website."
    ),
    "{host}: evenings, standings and results of L'Hombre.": (
        "{host}: evenings, standings and results of L’Hombre."
    ),
    "{host}: how often each game of L'Hombre is won, by contract, trumps and seat.": (
        "{host}: how often each game of L’Hombre is won, by contract, trumps and seat."
    ),
    "{host}: winners, champions and records of L'Hombre over the years.": (
        "{host}: winners, champions and records of L’Hombre over the years."
    ),
    "{name}, {date}, {host}: everybody’s place and tokens, after every deal.": (
        "{name}, {date}, {host}: everyone’s place and tokens after every deal."
    ),
    "{name}, {date}, {host}: the same cards at every table, and what each made of them.": (
        "{name}, {date}, {host}: the same cards at every table, and each table’s result with them."
    ),
    "{person}’s evenings of L'Hombre over the years: places, tokens, games declared and won.": (
        "{person}’s evenings of L’Hombre over the years: places, tokens, games declared and won."
    ),
    "{player} does not ask for a place any more": "{player} has withdrawn the request for a place",
    "{player} has no place any more": "{player} no longer has a place",
    "{player} is given a new link": "Created a new link for {player}",
    "{player} left: the tables of {rounds} rounds are mended, all others sit as drawn": (
        "{player} left: rearranged the tables of {rounds} rounds; everyone else sits as drawn"
    ),
    "“{season}”: took back the award “{title}”": "“{season}”: withdrew the award “{title}”",
    "{colleague} declines the role": "{colleague} has declined the role",
    "Ended the key “{key}”": "Revoked the key “{key}”",
    "This account no longer exists, or is closed.": "This account no longer exists or is closed.",
    "This news item is no longer kept.": "This news item has been deleted.",
    "The mail server could not take it this time.": "The mail server could not accept it this time.",
    "{member} has left": "{member} has left the club",
    "The invitation of {invited} by {union} is over: declined or withdrawn": (
        "The invitation of {invited} by {union} was declined or withdrawn"
    ),
    "Asked for the transfer of a member who is known to the union": (
        "Asked for the transfer of a member already known to the union"
    ),
    "{club_asking} no longer asks for the transfer of {member}": (
        "{club_asking} has withdrawn its request for the transfer of {member}"
    ),
    "{address} did not accept an event, and no more attempts are made: {event}": (
        "{address} did not accept an event; no more attempts will be made: {event}"
    ),
    "This address is on this machine or a private network. Nothing is sent there.": (
        "This address is on this machine or a private network. Nothing will be sent to it."
    ),
    "Entering from home": "Entry from home",
    "All together": "Total",
    "Is made": "Made",
    "Told on your phone": "Notifications on your phone",
    "{player} is not here after all": "{player} unticked: not here",
    "{player} has not paid the fee after all": "{player} unticked: entry fee not paid",
    "Erased who a member was, as they asked": "Erased a member’s personal details",
    "Erased who had asked for a place, as they asked": (
        "Erased the personal details of someone who had asked for a place"
    ),
    "Erased who no. {number} is, as they asked": "Erased the personal details of no. {number}",
    "Erased a member’s personal details at their request": "Erased a member’s personal details",
    "Erased the personal details of someone who had asked for a place, at their request": (
        "Erased the personal details of someone who had asked for a place"
    ),
    "Erased the personal details of no. {number} at their request": (
        "Erased the personal details of no. {number}"
    ),
    "Imported from a file without a chain: nothing proves what was done before": (
        "Imported from a file without a hash chain: nothing proves what was done before"
    ),
    "{name}, {date}, {host}: the playing card that everyone took home.": (
        "{name}, {date}, {host}: the playing card each player took home."
    ),
    "Round {round}, table {table}: accepted deal {deal} by the captain’s code": (
        "Round {round}, table {table}: accepted deal {deal} from the captain’s code"
    ),
    "Set-up: now {value} deals a round": "Set-up: now {value} deals per round",
    "Set-up: the least share of the deals is now {value} per cent": (
        "Set-up: the minimum share of the deals is now {value} per cent"
    ),
    "Set-up: matches for a higher team after which a player stays there: {value}": (
        "Set-up: matches for a higher team that bind a player to it: {value}"
    ),
    "Season plan: {team} wishes not to be at home on {day}": (
        "Season plan: {team} asks not to be at home on {day}"
    ),
    "Season plan: {team} and {other} wish not to be at home on one day": (
        "Season plan: {team} and {other} ask not to be at home on the same day"
    ),
    "Season plan: a wish of {team} is removed": "Season plan: removed a wish of {team}",
    "Each match is played on a day of its own: {count}": "Each match is played on its own day: {count}",
    "No one is waiting for approval any more.": "No one is still waiting for approval.",
    "Prizes by place other than money are now: {things}": (
        "Prizes other than money, by place, are now: {things}"
    ),
    "Not at one table, strictly: {players}": "Never at the same table: {players}",
    "Not at one table: {players}": "Not at the same table: {players}",
    "Not at one table": "Not at the same table",
    "Closed round {round} with {count} table(s) not done: {reason}": (
        "Closed round {round} with {count} unfinished table(s): {reason}"
    ),
    "Entering from home is closed": "Entry from home is closed",
    "Declined {count} who had not answered the email": (
        "Declined {count} people who had not answered the email"
    ),
    "{player} is no. {place} on the waiting list now": "{player} is now no. {place} on the waiting list",
    "Made a new link for {player}": "Created a new link for {player}",
    "{player} is declined": "{player} was declined",
    "{player} no longer asks for a place": "{player} has withdrawn the request for a place",
    "{player} left: the tables of {rounds} rounds are repaired; everyone else sits as drawn": (
        "{player} left: rearranged the tables of {rounds} rounds; everyone else sits as drawn"
    ),
    "Round {round}: the ruling on {match} is withdrawn": "Round {round}: withdrew the ruling on {match}",
    "This list is too long to be drawn while you wait. Take it as a spreadsheet file instead.": (
        "This list is too long to be made while you wait. Save it as a spreadsheet instead."
    ),
    (
        "This ladder is too long to be drawn while you wait. Take it as a spreadsheet file instead. It is "
        "also in the season’s yearbook, without a column for each evening; an organiser can create that."
    ): (
        "This ladder is too long to be made while you wait. Save it as a spreadsheet instead. It is also "
        "in the season’s yearbook, without a column for each evening; an organiser can create that."
    ),
    (
        "This is too long to be drawn while you wait. Take it as a spreadsheet file instead, or ask an "
        "organiser."
    ): ("This is too long to be made while you wait. Save it as a spreadsheet instead, or ask an organiser."),
    "Each match is played on a day of its own": "Each match is played on its own day",
    "Made the championship “{championship}”": "Created the championship “{championship}”",
    "Made from the qualifiers of “{stage}”": "Created from the qualifiers of “{stage}”",
    "Made “{stage}” of “{championship}”": "Created “{stage}” of “{championship}”",
    "Drawn into its group by rating; seed of the lot: {seed}": (
        "Drawn into its group by rating; seed of the draw: {seed}"
    ),
    "Drawn into its group by place in “{place_in}”; seed of the lot: {seed}": (
        "Drawn into its group by place in “{place_in}”; seed of the draw: {seed}"
    ),
    "Took {count} teams of {earlier} along": "Took over {count} teams from {earlier}",
    "Made the season “{season}”": "Created the season “{season}”",
    "Changed the club's crest and colour": "Changed the club’s crest and colour",
    "Removed the club's crest and colour": "Removed the club’s crest and colour",
    "{player} goes before those of the same place, in “{stage}” of “{championship}”": (
        "{player} is put ahead of others with the same place, in “{stage}” of “{championship}”"
    ),
    "{player} no longer goes before those of the same place, in “{stage}” of “{championship}”": (
        "{player} is no longer put ahead of others with the same place, in “{stage}” of “{championship}”"
    ),
    "{player} takes part in “{stage}” of “{championship}”, by the letter’s link": (
        "{player} takes part in “{stage}” of “{championship}”, answered through the link in the email"
    ),
    "{player} does not take part in “{stage}” of “{championship}”, by the letter’s link": (
        "{player} does not take part in “{stage}” of “{championship}”, answered through the link in the email"
    ),
    "Asked {players} who qualify for “{stage}” of “{championship}”, until {day}": (
        "Asked qualified players ({players}) about “{stage}” of “{championship}”, to answer by {day}"
    ),
    "Entered {players} who qualify for “{stage}” of “{championship}”": (
        "Entered qualified players ({players}) for “{stage}” of “{championship}”"
    ),
    "The standings show play on the same cards": ("The standings show results on the same cards"),
    "The standings no longer show play on the same cards": (
        "The standings no longer show results on the same cards"
    ),
}
