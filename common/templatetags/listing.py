"""Links of tables that keep the other parameters of the address."""

from django import template
from django.template import RequestContext

register = template.Library()


@register.simple_tag(takes_context=True)
def address_with(context: RequestContext, name: str, value: object) -> str:
    """Return the query string of this page with one parameter changed, such as `?q=border&page=2`."""
    query = context["request"].GET.copy()
    query[name] = str(value)
    return f"?{query.urlencode()}"
