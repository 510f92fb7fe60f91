"""Constraints of the database, asked about before a row is stored so that people are told which one is in the way."""

from collections.abc import Collection
from functools import reduce
from operator import and_
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import CheckConstraint, Model, Q


class CheckedAtOnce(Model):
    """A model whose checks are one query as long as they hold: Django asks one by one, each about every field."""

    class Meta:
        abstract = True

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        if exclude or not self._holds_all():
            super().validate_constraints(exclude=exclude)

    def _holds_all(self) -> bool:
        known: list[Any] = list(self._meta.constraints)
        checks = [Q(each.condition) for each in known if isinstance(each, CheckConstraint)]
        others = [each for each in known if not isinstance(each, CheckConstraint)]
        try:
            for each in (CheckConstraint(condition=reduce(and_, checks), name="all"), *others):
                each.validate(type(self), self)
        except ValidationError:
            return False
        return True
