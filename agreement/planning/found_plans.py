"""Plans at hand: quick ones are computed, of others there is what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.planning.kept_plans import plan_question, plans_load
from agreement.planning.plans import QUICK_RATINGS, Prices, ScalePlans, campaign_plans
from crowd.models import Campaign
from ratings.models import KeptResult
from ratings.selectors.kept import Changes, changes_since, has_at_most, kept_result


@dataclass(frozen=True)
class FoundPlans:
    """Plans, if there are any; for those that take long also what is kept of them, and what has come since."""

    is_slow: bool
    plans: list[ScalePlans] | None
    kept: KeptResult | None = None
    since: Changes | None = None


def plans_found(campaign: Campaign, raters: Sequence[int], texts: Sequence[int], prices: Prices) -> FoundPlans:
    """Compute quick plans; of others return what is kept, and what has come since."""
    if has_at_most(campaign, QUICK_RATINGS):
        return FoundPlans(is_slow=False, plans=campaign_plans(campaign, raters, texts, prices))
    kept = kept_result(campaign, KeptResult.Kind.PLAN, plan_question(campaign, raters, texts))
    if kept is None or kept.result is None or kept.basis is None:
        return FoundPlans(is_slow=True, plans=None, kept=kept)
    return FoundPlans(True, plans_load(kept.result, campaign, prices), kept, changes_since(campaign, kept.basis))
