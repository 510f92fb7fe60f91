"""Draw the arm of a piece of work as somebody gets it: in blocks of each text, and about evenly for each person."""

from collections import Counter

from crowd.models import Assignment, Enrolment
from measures.experiments.arms import next_arm_of_task
from protocols.models import TaskArm
from protocols.task import study_task


def arm_draw(enrolment: Enrolment, lease: Assignment) -> None:
    """Draw and store the arm of a new piece of work, if there are arms.

    Its item is locked, so that nobody else draws for the same text meanwhile. Test participants are drawn apart: they
    are removed before others come.
    """
    campaign, worker = enrolment.campaign, enrolment.worker
    task = study_task(campaign.rating_task).part_in(enrolment.round)
    arms = task.arms(task.settings_read(campaign.task_settings))
    if not arms:
        return
    stored = TaskArm.objects.values_list("arm", flat=True)
    of_text = Counter(stored.filter(assignment__item=lease.item_id, assignment__worker__is_test=worker.is_test))
    had = Counter(stored.filter(assignment__worker=worker))
    whole = min(of_text[arm] for arm in arms)
    drawn = [*(arm for _block in range(whole) for arm in arms), *(arm for arm in arms if of_text[arm] > whole)]
    arm = next_arm_of_task(arms, drawn, had, seed=campaign.pk, source=str(lease.item_id))
    TaskArm.objects.create(assignment=lease, arm=arm)
