"""What is missing in a round, and what it will take, in words."""

from annotation.selectors.pace import Remaining

THINGS = {"edit": "compression", "rate": "rating", "expert": "expert rating"}


def remaining_words(remaining: Remaining, work_round: str) -> str:
    """Return a sentence such as “184 ratings missing: about 12 people and 3 hours at this pace.”"""
    thing = THINGS[work_round]
    words = f"{_counted(remaining.missing, thing)} missing"
    if effort := _effort(remaining):
        words += f": {effort}"
    words += "."
    if remaining.people is not None and remaining.is_from_settings:
        words += f" That is with {_counted(remaining.tasks_of_one or 0, thing)} per participant, as the settings allow."
    if remaining.is_quiet:
        words += " Nothing was submitted in the last 24 hours."
    return words


def _effort(remaining: Remaining) -> str:
    people = f"{remaining.people:,} {'person' if remaining.people == 1 else 'people'}" if remaining.people else ""
    time = f"{duration_words(remaining.minutes)} at this pace" if remaining.minutes is not None else ""
    return f"about {' and '.join(filter(None, (people, time)))}" if people or time else ""


def duration_words(minutes: float) -> str:
    """Return a duration as a round number of minutes, hours or days."""
    if minutes < 90:
        return _counted(max(1, round(minutes)), "minute")
    if minutes < 48 * 60:
        return _counted(round(minutes / 60), "hour")
    return _counted(round(minutes / 60 / 24), "day")


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
