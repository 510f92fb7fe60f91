"""What a caller of the API sends: files, and fields bounded as those of the pages."""

import math
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from rest_framework import serializers

from common.api.operations import Body
from common.api.problems import Problem
from common.typed_text import marks_validate


class TypedField(serializers.CharField):
    """What a person has written: with a greatest length, and without stacked marks."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self.validators.append(marks_validate)


class FiniteField(serializers.FloatField):
    """A number, and neither NaN nor an infinity, nor a truth value that Python counts as 0 or 1."""

    def to_internal_value(self, data: Any) -> float:
        value: float = super().to_internal_value(data)
        if not math.isfinite(value) or isinstance(data, bool):
            raise serializers.ValidationError(_("A valid number is required."))
        return value


class FileBody(Body):
    """A form with a file."""

    file = serializers.FileField()


def content_of(file: "UploadedFile[Any]", *, most: int | None = None) -> bytes:
    """Return the content of a file, or refuse one of more than `most` bytes, by default what the settings say."""
    limit = settings.UPLOAD_MAX_BYTES if most is None else min(most, settings.UPLOAD_MAX_BYTES)
    if (file.size or 0) > limit:
        words = _("The file is larger than %(size)s MiB.")
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words % {"size": limit // 2**20})
    content: bytes = file.read()
    return content
