"""What a person asked for and cannot have, in words for that person."""


class Refusal(Exception):  # noqa: N818 - it reads as what it says
    """A step that cannot be taken now. `message` is translated; `field` names the control of a form that it concerns.

    `clubs.views.steps` shows it where it belongs.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field
