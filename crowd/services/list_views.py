"""Views of lists that an account keeps for itself."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign, ListView
from crowd.models.list_views import MAX_VIEWS


@transaction.atomic
def list_view_keep(*, campaign: Campaign, user: User, staff_list: str, name: str, query: str) -> ListView:
    """Keep a view; one of the same name is replaced."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    kept = ListView.objects.filter(campaign=campaign, user=user, staff_list=staff_list)
    if not kept.filter(name=name).exists() and kept.count() >= MAX_VIEWS:
        raise Refused(_("You have %(n)s views of this list. Remove one first.") % {"n": MAX_VIEWS})
    view, _is_new = ListView.objects.update_or_create(
        campaign=campaign, user=user, staff_list=staff_list, name=name, defaults={"query": query}
    )
    return view


def list_view_remove(*, campaign: Campaign, user: User, staff_list: str, name: str) -> None:
    ListView.objects.filter(campaign=campaign, user=user, staff_list=staff_list, name=name).delete()
