"""How far the rounds of a campaign are."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Round
from crowd.selectors.progress import RoundProgress, progress_of_rounds


class RoundProgressSerializer(serializers.Serializer[Any]):
    """How much of a round's work is done: each text needs the work of several people."""

    round = serializers.ChoiceField(Round.choices)
    items = serializers.IntegerField(help_text="Texts to shorten or to rate.")
    complete_items = serializers.IntegerField()
    wanted = serializers.IntegerField(help_text="How many compressions or ratings are wanted in all.")
    claimed = serializers.IntegerField(help_text="How many of them participants are working on now.")
    done = serializers.IntegerField()
    missing = serializers.IntegerField()
    percent_done = serializers.IntegerField(allow_null=True, help_text="null if there is nothing to do.")
    is_complete = serializers.BooleanField(help_text="Whether there was work, and all of it is done.")


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a campaign is. Work of test participants does not count as done."""

    rounds = RoundProgressSerializer(many=True)


class Progress(CampaignEndpoint):
    @operation("getProgress", answer=ProgressSerializer)
    def get(self, request: Request) -> Any:
        """Get the progress of both rounds."""
        found = progress_of_rounds([self.campaign.pk])
        return {"rounds": [_shown(each, found.get((self.campaign.pk, each.value), RoundProgress())) for each in Round]}


def _shown(work_round: Round, progress: RoundProgress) -> dict[str, Any]:
    fields = set(RoundProgressSerializer().fields) - {"round"}
    return {"round": work_round.value, **{name: getattr(progress, name) for name in fields}}
