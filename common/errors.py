"""What can be refused, in words for the person who asked."""


class Refused(Exception):
    """The request cannot be carried out; the message says why, to the person who made it."""


class SlotTaken(Refused):
    """A lease ran out and somebody else took the place."""


class NotYours(Refused):
    """The thing asked for does not exist for this person."""


class AlreadySubmitted(Refused):
    """The task is done; what is asked for would change it."""
