"""Staff pages: rating plans, and the form that asks for one."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from agreement.planning.campaign_prices import StatedPrices, where_from
from agreement.planning.kept_plans import plan_request, plans_found
from agreement.planning.plans import DEFAULT_RATERS, MAX_PRICE, RATERS, TEXTS, Prices, plan_numbers
from agreement.planning.plot import plan_figure
from common.typed_text import TypedTexts
from common.words import Words
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from ratings.selectors.kept import kept_notice
from reports.views import figure_as


def _price(label: Words) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_value=MAX_PRICE,
        decimal_places=4,
        required=False,
        help_text=gettext_lazy("In any currency."),
    )


class PlanForm(TypedTexts, forms.Form):
    """Comma-separated numbers; empty fields mean the defaults."""

    raters = forms.CharField(
        label=gettext_lazy("Ratings per text"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Numbers separated by commas. If empty: 3, 4, 5, 7, 10."),
    )
    texts = forms.CharField(
        label=gettext_lazy("Texts"),
        max_length=60,
        required=False,
        help_text=gettext_lazy(
            "Numbers separated by commas. If empty: the number so far, twice that and four times that."
        ),
    )
    price_per_rating = _price(gettext_lazy("Price per rating"))
    price_per_compression = _price(gettext_lazy("Price per compression"))

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stated = StatedPrices.of(campaign)
        for name, pay in (("price_per_rating", self.stated.raters), ("price_per_compression", self.stated.editors)):
            self.fields[name].help_text = where_from(pay) or self.fields[name].help_text

    @property
    def prices(self) -> Prices:
        typed = (self.cleaned_data[name] for name in ("price_per_rating", "price_per_compression"))
        return self.stated.or_else(*typed)

    @property
    def as_typed(self) -> dict[str, str]:
        """The fields of this valid form as they were typed, without those left empty."""
        return {name: self.data[name] for name in self.fields if self.data.get(name)}

    def clean_raters(self) -> list[int]:
        return _numbers(self.cleaned_data["raters"], RATERS) or list(DEFAULT_RATERS)

    def clean_texts(self) -> list[int]:
        return _numbers(self.cleaned_data["texts"], TEXTS)


def _numbers(text: str, allowed: range) -> list[int]:
    try:
        return plan_numbers(text, allowed)
    except ValueError as error:
        raise forms.ValidationError(str(error)) from error


@campaign_staff
@require_safe
def plan(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show how more ratings or more texts would narrow the intervals, and what they would cost."""
    form = PlanForm(request.GET or None, campaign=campaign)
    submitted = form if form.is_bound else PlanForm({}, campaign=campaign)  # without a query, plan with the defaults
    context: dict[str, Any] = {"campaign": campaign, "form": form}
    if submitted.is_valid():
        context |= _found_plans(campaign, submitted)
    files = {"figures_at": f"{reverse('agreement:plan', args=[campaign.slug])}figures/"}
    return render(request, "agreement/plan.html", {**context, **files, "figure_query": request.GET.urlencode()})


@campaign_staff
@require_safe
def figure(request: HttpRequest, campaign: Campaign, key: str, form: str) -> HttpResponse:
    """Return the plot of a scale as a file, or on a page that prints as large as it is."""
    asked = PlanForm(request.GET, campaign=campaign)
    found = _found_plans(campaign, asked).get("found", ()) if asked.is_valid() else ()
    address = reverse("agreement:plan", args=[campaign.slug])
    return figure_as(
        f"{key}.{form}", request, campaign, (drawn for _, drawn in found), f"{campaign.slug}-plan", address
    )


def _found_plans(campaign: Campaign, form: PlanForm) -> dict[str, Any]:
    """Return plans with their plots; of those that take long also what is kept, and what has come since."""
    found = plans_found(campaign, form.cleaned_data["raters"], form.cleaned_data["texts"], form.prices)
    context: dict[str, Any] = {}
    if found.is_slow:
        address = reverse("agreement:plan-compute", args=[campaign.slug])
        notice = kept_notice(found.kept, found.since, address=address, sent=form.as_typed)
        context |= {"is_slow": True, "kept": found.kept, "notice": notice}
    if found.plans is not None:
        context["found"] = [(of_scale, plan_figure(of_scale)) for of_scale in found.plans]
    return context


@campaign_staff
@require_POST
def plan_compute(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Have plans computed by a job, and show their page."""
    form = PlanForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return render(request, "agreement/plan.html", {"campaign": campaign, "form": form}, status=422)
    raters, texts = form.cleaned_data["raters"], form.cleaned_data["texts"]
    plan_request(campaign=campaign, raters=raters, texts=texts, user=staff_user(request))
    return redirect(f"{reverse('agreement:plan', args=[campaign.slug])}?{urlencode(form.as_typed)}")
