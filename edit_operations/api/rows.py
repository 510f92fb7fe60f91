"""What a row of a report says, column by column."""

from typing import Any

from rest_framework import serializers


def _number(words: str) -> serializers.FloatField:
    return serializers.FloatField(required=False, allow_null=True, help_text=words)


def _count(words: str) -> serializers.IntegerField:
    return serializers.IntegerField(required=False, allow_null=True, help_text=words)


class OperationsRowSerializer(serializers.Serializer[Any]):
    """One figure of a report. Every row has the columns from `table` to `reason`; the others only where they apply."""

    table = serializers.CharField(
        help_text="Such as `token shares`, `compression classes`, `sentences`, `table 5`, `table 6`, `aligner`, "
        "`systems`, `costs`, `ordered ratings`, `within editors`, `order` or `order pairs`."
    )
    part = serializers.CharField(
        help_text="`release` for the whole of it, or `genre`, `split`, `sentences`, `editor` or `system`."
    )
    group = serializers.CharField(
        allow_blank=True,
        help_text="The name of the part. In `table 5`, `within editors`, `costs`, `ordered ratings` and `order` the "
        "operation or term; in `order pairs` the operation that was begun first.",
    )
    figure = serializers.CharField(
        help_text="What the value is of, such as `copied`; the key of a scale where ratings are compared; in "
        "`order pairs` the operation that was begun later."
    )
    value = serializers.FloatField(allow_null=True, help_text="Null where it is undefined; `reason` says why.")
    low = serializers.FloatField(allow_null=True, help_text="Where its 95% interval begins.")
    high = serializers.FloatField(allow_null=True, help_text="Where its 95% interval ends.")
    n = serializers.IntegerField(allow_null=True, help_text="How many texts it is computed from.")
    p = serializers.FloatField(allow_null=True, help_text="The p of its test.")
    p_holm = serializers.FloatField(allow_null=True, help_text="The same, corrected by Holm over its table.")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no value.")
    no_interval = serializers.CharField(required=False, help_text="Why there is no interval.")
    sources = _count("How many sources it is computed from; of a comparison, how many have both sides.")
    editors = _count("How many editors it is computed from; of a comparison, how many have both sides.")
    present = _number("Mean rating of the texts with the operation.")
    absent = _number("Mean rating of the texts without the operation.")
    joint = _number("Mean rating of the paragraphs that were shortened as a whole.")
    apart = _number("Mean rating of their sentences, shortened one by one.")
    mean_difference = _number("The mean of the paired differences.")
    difference = _number("The Hodges-Lehmann estimate of the difference, to which `low` and `high` belong.")
    detectable = _number("How large a difference so many pairs would show at .05 with 80%.")
    z = _number(
        "Of the smaller rank sum in Wilcoxon's signed-rank test: never positive. `rank_biserial` has the direction. In "
        "`ordered ratings` the value divided by its standard error."
    )
    rank_biserial = _number("The rank-biserial correlation, from -1 to 1.")
    standard_error = _number("The standard error of a coefficient.")
    t = _number("In `costs` the value divided by its standard error.")
    df = _number(
        "The degrees of freedom of `t`, in `ordered ratings` of `z`, which is taken as t; of `operations together`, "
        "whose value is F, those of the denominator."
    )
    numerator_df = _count("Of `operations together`: the degrees of freedom of the numerator.")
    method = serializers.CharField(
        required=False,
        help_text="In `costs` where the degrees of freedom come from, `Kenward-Roger` or `Satterthwaite`; in "
        "`ordered ratings` how the effects are integrated out, `Laplace`.",
    )
    raters = _count("How many raters gave the ratings.")
    ratings = _count("How many ratings it is computed from, where each counts by itself.")
    words = _count("How many words were changed so in the logs.")
    p10 = _number("The 10th percentile of the place in the log, as a share of the edits.")
    p25 = _number("The 25th percentile.")
    p50 = _number("The median.")
    p75 = _number("The 75th percentile.")
    p90 = _number("The 90th percentile.")
    time_p10 = _number("The 10th percentile of the place in the log, as a share of the active time.")
    time_p25 = _number("The 25th percentile.")
    time_p50 = _number("The median.")
    time_p75 = _number("The 75th percentile.")
    time_p90 = _number("The 90th percentile.")
