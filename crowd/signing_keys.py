"""The public keys of a platform that signs its ids, and what a token says that one of them has signed.

PyJWT checks the signature. It is imported by the functions that need it: most platforms sign nothing.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from common.errors import Refused

if TYPE_CHECKING:
    import jwt

ALGORITHM = "RS256"  # a token's own `alg` chooses nothing
KEY_BITS = range(2048, 8193)
MAX_EXPONENT = 2**32
MAX_TOKEN_LENGTH = 8_000
MAX_KEYS_LENGTH = 50_000
LEEWAY = timedelta(minutes=1)  # between the platform's clock and ours


class BadToken(Refused):
    """A token that was not signed by one of the keys, is out of date, or is no token at all."""


def public_keys(text: str) -> list[jwt.PyJWK]:
    """Read a JSON Web Key Set, or one key of such a set; raise Refused with the reason if a key cannot be used."""
    try:
        content = json.loads(text) if len(text) <= MAX_KEYS_LENGTH else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Refused(_('This is not a JSON Web Key Set: it must look like {"keys": [...]}.'))
    entries = content.get("keys", [content])
    if not isinstance(entries, list) or not entries:
        raise Refused(_("The JSON Web Key Set has no keys."))
    return [_public_key(number, entry) for number, entry in enumerate(entries, start=1)]


def token_claims(token: str, keys: list[jwt.PyJWK], *, issuer: str) -> dict[str, Any]:
    """Return what a token says if one of the keys has signed it for this issuer and it still holds; else BadToken.

    The audience is left to the caller. When a token was issued does not matter, since clocks differ.
    """
    import jwt

    if len(token) > MAX_TOKEN_LENGTH:
        raise BadToken("The token is too long.")
    try:
        name = jwt.get_unverified_header(token).get("kid")
    except (jwt.InvalidTokenError, UnicodeError) as error:
        raise BadToken(str(error)) from error
    refusal: Exception | None = None
    for key in keys:
        if name and key.key_id and key.key_id != name:
            continue
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                issuer=issuer,
                leeway=LEEWAY,
                options={"require": ["exp"], "verify_aud": False, "verify_iat": False},
            )
        except jwt.InvalidTokenError as error:
            refusal = error
    raise BadToken(str(refusal or "None of the keys has the name of the token's.")) from refusal


def _public_key(number: int, entry: object) -> jwt.PyJWK:
    import jwt

    refusal = Refused(
        _("Key %(number)s: only RSA keys for %(algorithm)s can be used.") % {"number": number, "algorithm": ALGORITHM}
    )
    if not isinstance(entry, dict) or (entry.get("kty"), entry.get("alg", ALGORITHM)) != ("RSA", ALGORITHM):
        raise refusal
    try:
        # Of a private key, too, only the public half.
        key = jwt.PyJWK({name: entry[name] for name in ("kty", "n", "e", "kid") if name in entry})
    except jwt.PyJWTError as error:
        raise refusal from error
    if key.key.key_size not in KEY_BITS:
        raise Refused(
            _("Key %(number)s has %(bits)s bits; 2048 to 8192 can be used.")
            % {"number": number, "bits": key.key.key_size}
        )
    if key.key.public_numbers().e > MAX_EXPONENT:
        raise Refused(_("Key %(number)s has an exponent that cannot be used.") % {"number": number})
    return key
