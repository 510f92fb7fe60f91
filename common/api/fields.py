"""Fields of what is sent: bounded as those of the pages."""

import math
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from common.typed_text import marks_validate


class TypedField(serializers.CharField):
    """What a person has written: with a greatest length, and without stacked marks."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self.validators.append(marks_validate)


class FiniteField(serializers.FloatField):
    """A number, and neither NaN nor an infinity."""

    def to_internal_value(self, data: Any) -> float:
        value: float = super().to_internal_value(data)
        if not math.isfinite(value):
            raise serializers.ValidationError(_("A valid number is required."))
        return value
