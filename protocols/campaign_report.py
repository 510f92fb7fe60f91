"""What reports of this room have in common: whether they were planned; of a campaign's answers, a checksum of all."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.errors import Refused
from corpus.models import Release
from crowd.models import Campaign
from protocols.parameters import CampaignParameters
from protocols.planned import Plan, analysis_of, plan_of, plan_words
from protocols.selectors import AnswersState, GivenAnswer, Whose, answers_mark, given_answers
from protocols.task import AnswerRefused, study_task
from ratings.models import Rating
from reports.kinds import ReportKind
from reports.models import Basis, Report
from reports.parameters import Attachment

_NOBODY_YET = {
    "people": gettext_lazy("Nobody has answered yet, so there is nothing to report."),
    "test participants": gettext_lazy("No test participant has answered yet, so there is nothing to rehearse with."),
}


class PlannedReport(ReportKind, ABC):
    """A report that says whether it follows the analysis that was fixed before the first answer.

    Its template includes `protocols/partials/plan.html` first.
    """

    def resolved(self, on: Basis, parameters: Any) -> Any:
        """Return the parameters with what the default ones choose."""
        del on
        return parameters

    def plan_words(self, report: Report) -> str:
        """Say whether the analysis of a report was fixed before the first answer."""
        return plan_words(Plan.of(report.pinned), self.analysis(report))

    def analysis(self, report: Report) -> dict[str, Any]:
        """Return the analysis that a report is."""
        parameters = self.resolved(report.basis, self.parameters.of(report.parameters))
        return analysis_of(report.of_campaign, self, parameters)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        """Return what `protocols/partials/plan.html` shows; each kind adds its own."""
        del query
        return {"plan_words": self.plan_words(report)}

    def preface(self, report: Report) -> list[str]:
        return list(filter(None, [self.rehearsal_words(report)]))

    @abstractmethod
    def rehearsal_words(self, report: Report) -> str:
        """Say that a report is a rehearsal; nothing if it is not."""

    def about(self, report: Report) -> dict[str, Any]:
        plan, rehearsal = Plan.of(report.pinned), self.rehearsal_words(report)
        planned = {"plan": self.plan_words(report), "plan_sha256": plan.checksum if plan else None}
        return super().about(report) | planned | ({"rehearsal": rehearsal} if rehearsal else {})


class ReleaseReport(PlannedReport, ABC):
    """A report on the ratings of a release."""

    def pins(self, on: Release, parameters: Any, attached: Attachment) -> dict[str, Any]:
        del parameters, attached
        if on.state != Release.State.READY:
            raise Refused(_("%(release)s is not ready yet.") % {"release": on.name})
        plan = plan_of(on.campaign)
        simulated = Rating.objects.filter(worker__campaign=on.campaign, worker__is_simulated=True)
        is_rehearsal = simulated.filter(pk__lte=on.last_rows.get("ratings", 0)).exclude(worker__is_test=True).exists()
        return ({"plan": plan} if plan else {}) | ({"simulated": True} if is_rehearsal else {})

    def rehearsal_words(self, report: Report) -> str:
        if not report.pinned.get("simulated"):
            return ""
        return _("A rehearsal: simulated people gave ratings of this release, and these say nothing of the texts.")


class CampaignReport(PlannedReport, ABC):
    """A report on the answers to a judgement task with material of its own; its key is that of the task.

    Its parameters are CampaignParameters with more.
    """

    is_on_campaign = True
    job_done = gettext_lazy("The report on %(release)s is computed.")
    namespace: ClassVar[str]
    """By default `protocols:` and the key; its addresses are there with its folder."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "namespace" not in vars(cls):
            cls.namespace = f"protocols:{cls.key}"

    def is_for(self, on: Campaign) -> bool:
        return on.rating_task == self.key

    def pins(self, on: Campaign, parameters: Any, attached: Attachment) -> dict[str, Any]:
        del attached
        if not self.is_for(on):
            raise Refused(_("%(campaign)s has another judgement task.") % {"campaign": on.name})
        mark = answers_mark(on, parameters.whose)  # first: what comes meanwhile is then told as new
        state = AnswersState.of(given_answers(on, parameters.whose))
        if not state.answers:
            raise Refused(str(_NOBODY_YET[parameters.whose]))
        plan, settings = plan_of(on), dict(on.task_settings)
        return {"answers": vars(state), "mark": mark, "task_settings": settings, "plan": plan}

    def identity(self, on: Campaign, stored: Mapping[str, Any], pinned: Mapping[str, Any]) -> Any:
        without_mark = {name: value for name, value in pinned.items() if name != "mark"}
        return super().identity(on, stored, without_mark)

    def checksum(self, on: Campaign, pinned: Mapping[str, Any]) -> str:
        del on
        return str(pinned["answers"]["sha256"])

    def answers(self, report: Report) -> list[GivenAnswer]:
        """Return the answers that a report is on, each checked by its task; raise Refused if they are others now."""
        given = list(given_answers(report.of_campaign, self.whose(report)))
        if AnswersState.of(given).sha256 != report.checksum:
            raise Refused(_("There are other answers since this report was requested. Request it again."))
        task = study_task(self.key)
        settings = task.settings_read(report.pinned["task_settings"])
        for each in given:
            try:
                task.part(each.subject.task).check(each.answer, each.subject, settings)
            except AnswerRefused as refusal:
                words = _("The answer of participant %(person)s about %(name)s cannot be read: %(why)s")
                about = {"person": each.person, "name": each.subject.name, "why": refusal}
                raise Refused(words % about) from refusal
        return given

    def news(self, report: Report) -> list[str]:
        news = super().news(report)
        if answers_mark(report.of_campaign, self.whose(report)) != report.pinned["mark"]:
            news.append(_("There are other answers since this report was computed."))
        return news

    def whose(self, report: Report) -> Whose:
        parameters = self.parameters.of(report.parameters)
        assert isinstance(parameters, CampaignParameters), "parameters of reports on campaigns begin with these"
        return parameters.whose

    def rehearsal_words(self, report: Report) -> str:
        if self.whose(report) == "people":
            return ""
        return _("A rehearsal: these are answers of test participants, simulated or not, and say nothing of the texts.")

    def analysis(self, report: Report) -> dict[str, Any]:
        return super().analysis(report) | {"task_settings": report.pinned["task_settings"]}

    def file_words(self, report: Report) -> str:
        """Say how many answers came in files of other programs, and what is not known of them; nothing if none did."""
        state = self.state(report)
        if not state.of_files:
            return ""
        people = ngettext("%(n)s person", "%(n)s people", state.people_of_files)
        words = ngettext(
            "%(n)s of %(all)s answers, by %(people)s, is as its file states: what was shown and asked, and when, is "
            "not known here.",
            "%(n)s of %(all)s answers, by %(people)s, are as their files state: what was shown and asked, and when, is "
            "not known here.",
            state.of_files,
        )
        return words % {
            "n": f"{state.of_files:,}",
            "all": f"{state.answers:,}",
            "people": people % {"n": f"{state.people_of_files:,}"},
        }

    def simulated_words(self, report: Report) -> str:
        """Say how many answers are of simulated people who count as people; a rehearsal has said so already."""
        state = self.state(report)
        if not state.simulated or self.whose(report) != "people":
            return ""
        words = ngettext(
            "%(n)s of %(all)s answers is of a simulated person, and says nothing of the texts.",
            "%(n)s of %(all)s answers are of simulated people, and say nothing of the texts.",
            state.simulated,
        )
        return words % {"n": f"{state.simulated:,}", "all": f"{state.answers:,}"}

    def preface(self, report: Report) -> list[str]:
        words = [self.simulated_words(report), self.file_words(report)]
        return [*super().preface(report), *filter(None, words)]

    def about(self, report: Report) -> dict[str, Any]:
        named = {"simulated": self.simulated_words(report), "answers_of_files": self.file_words(report)}
        return super().about(report) | {name: words for name, words in named.items() if words}

    def state(self, report: Report) -> AnswersState:
        return AnswersState(**report.pinned["answers"])

    def names_of(self, reports: Sequence[Report]) -> list[str]:
        names = super().names_of(reports)
        words = _("%(n)s answers; %(settings)s")
        return [
            words % {"n": f"{self.state(each).answers:,}", "settings": name}
            for each, name in zip(reports, names, strict=True)
        ]
