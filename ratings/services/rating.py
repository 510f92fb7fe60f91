"""Taking in what a rater says."""

from django.db import transaction

from compressions.models import Compression, Target
from crowd.errors import Refused
from crowd.models import Enrolment
from crowd.services.claims import assignment_complete
from ratings.models import Rating
from ratings.scales import VALUES


@transaction.atomic
def rating_submit(*, enrolment: Enrolment, assignment_id: int, target: Target, meaning: int, grammar: int) -> Rating:
    """Store a judgement. Sent twice, it is stored once and answered alike."""
    if meaning not in VALUES or grammar not in VALUES:
        raise Refused("Please choose a point on both scales.")
    if Compression.objects.filter(target=target, worker_id=enrolment.worker_id).exists():
        raise Refused("You wrote this text yourself, so you cannot judge it.")
    if not assignment_complete(assignment_id=assignment_id, enrolment=enrolment):
        return Rating.objects.get(assignment_id=assignment_id)
    return Rating.objects.create(
        target=target,
        worker_id=enrolment.worker_id,
        assignment_id=assignment_id,
        meaning=meaning,
        grammar=grammar,
    )
