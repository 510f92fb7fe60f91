"""The parameters of the quality rule, as programs send and get them."""

from typing import Any

from rest_framework import serializers

from common.api.bodies import FiniteField
from common.api.operations import Body
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.forms import MOST_ITEMS, MOST_SHARE
from ratings.selectors.quality import rule_to_begin_with


class RuleBody(Body):
    """The parameters of the quality rule; those that are not named are as in the campaign's rule."""

    share = FiniteField(
        required=False,
        min_value=0,
        max_value=MOST_SHARE,
        help_text="The share of the assessed people of each role to exclude.",
    )
    min_items = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_ITEMS, help_text="People with fewer ratings are not assessed."
    )
    rater_quality = serializers.ChoiceField(
        [each.value for each in RaterQuality], required=False, help_text="What raters are assessed by."
    )
    order = serializers.ChoiceField([each.value for each in Order], required=False, help_text="Who is assessed first.")
    roles = serializers.ChoiceField([each.value for each in Roles], required=False, help_text="Who is assessed.")


def parameters_sent(campaign: Campaign, sent: dict[str, Any]) -> FilterParameters:
    """Return what was sent; what was not is as in the rule that the pages begin with."""
    rule = rule_to_begin_with(campaign)
    return FilterParameters(
        share=sent.get("share", rule.share),
        min_items=sent.get("min_items", rule.min_items),
        order=Order(sent.get("order", rule.order)),
        rater_quality=RaterQuality(sent.get("rater_quality", rule.rater_quality)),
        roles=Roles(sent.get("roles", rule.roles)),
    )
