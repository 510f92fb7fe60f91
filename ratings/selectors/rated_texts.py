"""Find the texts that the lines of a file rate."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from compressions.models import Source, System, SystemOutput, Target
from crowd.models import Campaign, Stream
from ratings.rating_files import FileRating

_SHOWN = 40


class TextFinder:
    """The sources and systems of a campaign, by which the texts of many lines are found at once."""

    def __init__(self, campaign: Campaign) -> None:
        self._sources = dict(Source.objects.filter(campaign=campaign).values_list("source_id", "pk"))
        self._systems = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))

    def texts_of(self, lines: Sequence[FileRating]) -> Iterator[int | str]:
        """Yield the id of each line's text, or the reason why there is none; two queries for all lines."""
        sources = {self._sources.get(line.source_id) for line in lines} - {None}
        systems = {self._systems.get(line.system) for line in lines} - {None}
        outputs = SystemOutput.objects.filter(source__in=sources, system__in=systems)
        of_systems = {
            (source, system): (target, digest)
            for source, system, target, digest in outputs.values_list(
                "source_id", "system_id", "target_id", "target__digest"
            )
        }
        # What only test participants wrote is no text of the campaign to anyone else.
        targets = Target.objects.filter(source__in=sources, digest__in={line.digest for line in lines} - {""})
        rows = targets.exclude(item__stream=Stream.TEST).values_list("source_id", "digest", "pk")
        by_text = {(source, digest): target for source, digest, target in rows}
        for line in lines:
            yield self._text_of(line, of_systems, by_text)

    def _text_of(
        self, line: FileRating, of_systems: dict[tuple[int, int], tuple[int, str]], by_text: dict[tuple[int, str], int]
    ) -> int | str:
        source, system = self._sources.get(line.source_id), self._systems.get(line.system)
        if source is None:
            return _("the campaign has no source %(name)s") % {"name": repr(line.source_id[:_SHOWN])}
        if not line.system:
            return by_text.get((source, line.digest)) or _("the source has no such text")
        if system is None:
            return _("the campaign has no system %(name)s") % {"name": repr(line.system[:_SHOWN])}
        if (source, system) not in of_systems:
            return _("the system has no output for this source")
        target, digest = of_systems[source, system]
        if line.digest and line.digest != digest:
            return _("the system’s output for this source is another text")
        return target
