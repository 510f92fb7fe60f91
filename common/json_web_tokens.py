"""Check JSON Web Tokens that somebody else has signed (RFC 7519), by public keys in a JSON Web Key Set (RFC 7517).

One algorithm only: RS256, an RSA signature with PKCS #1 v1.5 padding and SHA-256; a token's own `alg` chooses nothing.
The signature is checked as in RFC 8017, section 8.2.2: the padded hash is built anew and compared as a whole, so no
padding is ever parsed. Only public numbers are used, so nothing here has to be secret or take constant time.
"""

import json
import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused

ALGORITHM = "RS256"
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # of the hash in DER: RFC 8017, section 9.2
KEY_BITS = range(2048, 8193)
MAX_EXPONENT = 2**32
MAX_TOKEN_LENGTH = 8_000
MAX_KEYS_LENGTH = 50_000
BASE64URL = re.compile(r"[A-Za-z0-9_-]+\Z")


class BadToken(Refused):
    """A token that was not signed by one of the keys, or is no token at all."""


@dataclass(frozen=True)
class PublicKey:
    """An RSA key; `name` is its `kid`, empty if the set does not name it."""

    name: str
    modulus: int
    exponent: int

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        length = (self.modulus.bit_length() + 7) // 8
        number = int.from_bytes(signature)
        if len(signature) != length or number >= self.modulus:
            return False
        padded = SHA256_PREFIX + sha256(message).digest()
        expected = b"\x00\x01" + b"\xff" * (length - len(padded) - 3) + b"\x00" + padded
        return pow(number, self.exponent, self.modulus).to_bytes(length) == expected


def public_keys(text: str) -> tuple[PublicKey, ...]:
    """Read a JSON Web Key Set, or one key of such a set; raise Refused with the reason if it holds no usable key."""
    content = _json(text) if len(text) <= MAX_KEYS_LENGTH else None
    if not isinstance(content, dict):
        raise Refused(_('This is not a JSON Web Key Set: it must look like {"keys": [...]}.'))
    entries = content.get("keys", [content])
    if not isinstance(entries, list) or not entries:
        raise Refused(_("The JSON Web Key Set has no keys."))
    return tuple(_public_key(number, entry) for number, entry in enumerate(entries, start=1))


def token_claims(token: str, keys: tuple[PublicKey, ...]) -> dict[str, Any]:
    """Return what a token says if one of the keys has signed it, else raise BadToken. Times are left to the caller."""
    parts = token.split(".")
    if len(token) > MAX_TOKEN_LENGTH or len(parts) != 3:
        raise BadToken(_("This is not a signed token."))
    header, claims = (_json(_bytes(part).decode(errors="replace")) for part in parts[:2])
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise BadToken(_("This is not a signed token."))
    if header.get("alg") != ALGORITHM or "crit" in header:
        raise BadToken(_("Tokens must be signed by %(algorithm)s.") % {"algorithm": ALGORITHM})
    name, message, signature = header.get("kid"), ".".join(parts[:2]).encode(), _bytes(parts[2])
    candidates = [key for key in keys if not key.name or not name or key.name == name]
    if not any(key.has_signed(message, signature) for key in candidates):
        raise BadToken(_("The token was not signed by any of the keys."))
    return claims


def _public_key(number: int, entry: object) -> PublicKey:
    match entry:
        case {"kty": "RSA", "n": str(modulus), "e": str(exponent), **more} if more.get("alg", ALGORITHM) == ALGORITHM:
            key = PublicKey(str(more.get("kid", "")), _number(modulus), _number(exponent))
        case _:
            raise Refused(
                _("Key %(number)s: only RSA keys for %(algorithm)s can be used.")
                % {"number": number, "algorithm": ALGORITHM}
            )
    if key.modulus.bit_length() not in KEY_BITS:
        raise Refused(
            _("Key %(number)s has %(bits)s bits; 2048 to 8192 can be used.")
            % {"number": number, "bits": key.modulus.bit_length()}
        )
    if key.exponent % 2 == 0 or not 2 < key.exponent < MAX_EXPONENT:
        raise Refused(_("Key %(number)s has an exponent that cannot be used.") % {"number": number})
    return key


def _number(text: str) -> int:
    return int.from_bytes(_bytes(text))


def _bytes(text: str) -> bytes:
    """Return what a Base64url text without padding stands for; nothing for any other text."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4)) if BASE64URL.match(text) and len(text) % 4 != 1 else b""


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
