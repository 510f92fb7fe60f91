"""Lists as staff want them again: the order, the filters and the columns, under a name."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign

MAX_VIEWS = 20
"""Most views of one list that an account keeps in a campaign."""
MAX_QUERY_LENGTH = 1000


class StaffList(models.TextChoices):
    """The lists whose views can be kept."""

    TEXTS = "texts"
    FLAGS = "flags"
    REMARKS = "remarks"
    EDITORS = "edit"
    RATERS = "rate"
    EXPERTS = "expert"


class ListView(models.Model):
    """A list as one account wants it again. What was searched for is not kept: it may be the ID of a participant."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="list_views")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="list_views")
    staff_list = models.CharField(max_length=8, choices=StaffList.choices)
    name = models.CharField(_("name of the view"), max_length=60)
    query = models.CharField(
        max_length=MAX_QUERY_LENGTH, blank=True, help_text="What stands in the address after its path."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "staff_list", "name"], name="list_view_name_once"),
            models.CheckConstraint(condition=Q(staff_list__in=StaffList.values), name="list_view_list_known"),
            models.CheckConstraint(condition=~Q(name=""), name="list_view_has_name"),
        ]

    def __str__(self) -> str:
        return self.name
