"""Draw the arm of a piece of work as somebody gets it: in blocks of each source, and about evenly for each person."""

from collections import Counter

from crowd.models import Assignment, Enrolment
from measures.experiments.arms import next_arm_of_task
from protocols.models import Material, TaskArm
from protocols.task import study_task


def arm_draw(enrolment: Enrolment, lease: Assignment) -> None:
    """Draw and store the arm of a new piece of work, if there are arms.

    The outputs of several systems for one source share its blocks, so whoever draws for any of them waits for the
    others. Test participants are drawn apart: they are removed before others come.
    """
    campaign, worker = enrolment.campaign, enrolment.worker
    task = study_task(campaign.rating_task).part_in(enrolment.round)
    arms = task.arms(task.settings_read(campaign.task_settings))
    if not arms:
        return
    judged = Material.objects.get(task_item__item=lease.item_id)
    of_source = Material.objects.filter(campaign=campaign, task=judged.task, name=judged.name).order_by("pk")
    of_source.select_for_update(no_key=True).first()
    stored = TaskArm.objects.values_list("arm", flat=True)
    drawn_before = Counter(
        stored.filter(assignment__item__task_item__material__in=of_source, assignment__worker__is_test=worker.is_test)
    )
    had = Counter(stored.filter(assignment__worker=worker))
    whole = min(drawn_before[arm] for arm in arms)
    drawn = [*(arm for _block in range(whole) for arm in arms), *(arm for arm in arms if drawn_before[arm] > whole)]
    arm = next_arm_of_task(arms, drawn, had, seed=campaign.pk, source=judged.name)
    TaskArm.objects.create(assignment=lease, arm=arm)
