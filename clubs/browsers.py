"""What browsers call themselves, in two words that people know."""

# The most telling first: most browsers call themselves Chrome or Safari too, and Android says Linux besides.
_BROWSERS = {
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def browser_named(agent: str) -> str:
    """As in “Firefox, Windows”, for what a browser says of itself; nothing for what is none that is known."""
    found = (
        next((name for said, name in kind.items() if said in agent), "") for kind in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))
