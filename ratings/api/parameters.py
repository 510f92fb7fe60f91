"""The parameters of the quality rule, as programs send and get them."""

from typing import Any

from rest_framework import serializers

from common.api.fields import FiniteField
from common.api.operations import Body
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.forms import DEFAULTS, MOST_ITEMS, MOST_PERCENT


class RuleBody(Body):
    """The parameters of the quality rule; those that are not named have their defaults."""

    share = FiniteField(
        default=DEFAULTS.share,
        min_value=0,
        max_value=MOST_PERCENT / 100,
        help_text="The share of the assessed people of each role to exclude.",
    )
    min_items = serializers.IntegerField(
        default=DEFAULTS.min_items,
        min_value=1,
        max_value=MOST_ITEMS,
        help_text="People with fewer ratings are not assessed.",
    )
    rater_quality = serializers.ChoiceField(
        [each.value for each in RaterQuality],
        default=DEFAULTS.rater_quality.value,
        help_text="What raters are assessed by.",
    )
    order = serializers.ChoiceField(
        [each.value for each in Order], default=DEFAULTS.order.value, help_text="Who is assessed first."
    )
    roles = serializers.ChoiceField(
        [each.value for each in Roles], default=DEFAULTS.roles.value, help_text="Who is assessed."
    )


def parameters_sent(sent: dict[str, Any]) -> FilterParameters:
    return FilterParameters(
        share=sent["share"],
        min_items=sent["min_items"],
        order=Order(sent["order"]),
        rater_quality=RaterQuality(sent["rater_quality"]),
        roles=Roles(sent["roles"]),
    )
