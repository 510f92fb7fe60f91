"""Draw people into the arms of a rater round as they join: in permuted blocks, seeded, each place stored."""

from common.clock import database_now
from crowd.models import ArmDraw, Campaign, Enrolment, Round, Stratum, Worker
from measures.experiments.arms import next_arm_of_person


def arm_draw(*, enrolment: Enrolment) -> None:
    """Draw a new enrolment's arm if its round has arms; call inside the transaction that makes the enrolment.

    People wait for one another here, so that each place of the list is one person's.
    """
    if enrolment.round != Round.RATE or not enrolment.campaign.arms:
        return
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=enrolment.campaign.pk)
    stratum = _stratum(enrolment.worker)
    place = {"campaign": campaign, "round": enrolment.round, "stratum": stratum}
    drawn = list(ArmDraw.objects.filter(**place).order_by("number").values_list("arm", flat=True))
    keys = [arm.key for arm in campaign.rating_arms]
    enrolment.arm = next_arm_of_person(keys, drawn, seed=campaign.arms_seed, stratum=stratum)
    enrolment.save(update_fields=["arm"])
    ArmDraw.objects.create(
        **place, number=len(drawn) + 1, arm=enrolment.arm, drawn_at=database_now(), enrolment=enrolment
    )


def _stratum(worker: Worker) -> Stratum:
    if worker.is_test:
        return Stratum.TEST
    return Stratum.SIMULATED if worker.is_simulated else Stratum.PEOPLE
