"""The settings of a campaign's judgement task, and its material."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import Body, operation
from compressions.api.imports import FileImports, ImportSerializer
from crowd.api.endpoint import CampaignEndpoint
from protocols.models import FILE_FORMS
from protocols.quiz.sounds import sound_save
from protocols.selectors import material_counts
from protocols.services.material import material_import_request
from protocols.services.set_up import task_settings_save
from protocols.task import study_task


class TaskSerializer(serializers.Serializer[Any]):
    """A judgement task with material of its own, and how much of it there is."""

    task = serializers.CharField(help_text="Its key.")
    settings = serializers.DictField(help_text="With the defaults for what is not set.")
    items = serializers.IntegerField(help_text="Lines of material that are work.")
    practice = serializers.IntegerField(help_text="Lines that are practice.")
    systems = serializers.IntegerField(help_text="Systems that lines are of; 0 if a line has texts of several.")
    wanted = serializers.IntegerField(help_text="Answers wanted.")
    answers = serializers.IntegerField(help_text="Answers that reports are on.")


class TaskBody(Body):
    """What is set of the task."""

    settings = serializers.DictField(help_text="All settings that are not to be the default.")


class MaterialBody(FileBody):
    """A file of material, or of answers that people gave elsewhere."""

    file = serializers.FileField(
        help_text="JSONL, CSV or TSV; the task says which fields a line has. With `format`, a file in that format."
    )
    format = serializers.ChoiceField(
        FILE_FORMS,
        default="",
        allow_blank=True,
        help_text="The format of answers that people gave elsewhere; by default the file has material.",
    )


class JudgementTaskSettings(CampaignEndpoint):
    @operation("getJudgementTask", answer=TaskSerializer, problems=(409,))
    def get(self, request: Request) -> Any:
        """Get the judgement task of a campaign that has material of its own."""
        campaign, task = self.campaign, study_task(self.campaign.rating_task)
        counts = vars(material_counts(campaign))
        return {"task": task.key, "settings": task.settings_read(campaign.task_settings), **counts}

    @operation("setJudgementTask", body=TaskBody, answer=TaskSerializer, problems=(409,))
    def put(self, request: Request) -> Any:
        """Set the judgement task's settings, which are fixed once somebody has answered."""
        task_settings_save(campaign=self.campaign, settings=self.sent["settings"], user=self.user)
        return self.get(request)


class PiecesBody(Body):
    """How pieces of work are made."""

    fill_in = serializers.BooleanField(
        default=False, help_text="Make programs’ summaries that are missing, by maximal marginal relevance."
    )


class MadeSerializer(serializers.Serializer[Any]):
    """What was made."""

    words = serializers.CharField(help_text="How many pieces, and what to look at.")


class PiecesOfWork(CampaignEndpoint):
    @operation("makePieces", body=PiecesBody, answer=MadeSerializer, problems=(409,))
    def post(self, _request: Request) -> Any:
        """Make the pieces of work of a task such as a quiz, where a line of material is not work by itself.

        A task that takes in the fusions of another campaign makes its material of these: all of it once that is closed.

        Refused (409) with the reasons while the files do not go together. Afterwards neither they nor the settings of
        the task change, and the same again gives markers the short answers that they do not have yet.
        """
        return {"words": study_task(self.campaign.rating_task).pieces_make(self.campaign, user=self.user, **self.sent)}


class SoundSerializer(serializers.Serializer[Any]):
    """The sound of a text."""

    name = serializers.CharField(help_text="That of its file, which the text names as its audio.")
    size = serializers.IntegerField()
    seconds = serializers.FloatField()


class SoundBody(FileBody):
    file = serializers.FileField(help_text="An MP3 of a constant bit rate.")


class Sounds(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation(
        "addSound", body=SoundBody, answer=SoundSerializer, status=HTTPStatus.CREATED, upload=True, problems=(409,)
    )
    def post(self, request: Request) -> Any:
        """Store the sound of a text of a quiz, in place of one of the same name.

        Refused (409) if it is no such MP3, if there are as many sounds as can be, and once the pieces of work are made.
        """
        upload = self.sent["file"]
        return sound_save(
            campaign=self.campaign, file_name=upload.name or "", content=content_of(upload), user=self.user
        )


class MaterialImports(FileImports):
    @operation(
        "importMaterial",
        body=MaterialBody,
        answer=ImportSerializer,
        status=HTTPStatus.ACCEPTED,
        upload=True,
        problems=(409,),
    )
    def post(self, request: Request) -> Any:
        """Import what people judge in the campaign's judgement task, or what they answered elsewhere.

        A job reads the file. Lines that cannot be used are refused one by one; the others are imported. A format that
        the task does not read is refused (409).
        """
        return material_import_request(**self.uploaded(), answers=self.sent["format"])
