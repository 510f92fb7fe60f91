"""Query whether people took part under other pay than the present one."""

from django.db.models import Q

from crowd.models import Campaign, Enrolment, PastVisit, Round

SETTINGS = {
    Round.EDIT: ("editor_pay", "editor_pay_unit", "currency"),
    Round.RATE: ("rater_pay", "rater_pay_unit", "currency"),
}


def pay_has_changed(campaign: Campaign, work_round: Round) -> bool:
    """Tell whether some visits of a round began under other pay than is set now, tests aside."""
    if work_round not in SETTINGS:
        return False
    enrolments = Enrolment.objects.filter(worker__campaign=campaign, worker__is_test=False, round=work_round)
    past = PastVisit.objects.filter(enrolment__in=enrolments)
    versions = campaign.settings_versions.filter(
        Q(pk=campaign.settings_version_id)
        | Q(pk__in=enrolments.values("settings_version"))
        | Q(pk__in=past.values("settings_version"))
    )
    return len(set(versions.values_list(*(f"settings__{name}" for name in SETTINGS[work_round])))) > 1
