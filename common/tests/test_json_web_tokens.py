"""Tokens that somebody else has signed, against the example of RFC 7515 and against keys made here."""

import json
from typing import Any

import pytest

from common.errors import Refused
from common.json_web_tokens import BadToken, public_keys, token_claims
from tests.support.signing import OTHER_KEY, SIGNING_KEY, SigningKey, encoded, key_set, signed_token

# RFC 7515, appendix A.2: a key, and a token that it has signed with RS256.
RFC_KEY = {
    "kty": "RSA",
    "n": (
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-"
        "pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2Ca"
        "pHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb5"
        "4h4FRWyuXpoQ"
    ),
    "e": "AQAB",
}
RFC_TOKEN = (
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
    "fQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7"
    "t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jz"
    "DwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe7"
    "7Rw"
)
KEYS = public_keys(json.dumps(key_set(SIGNING_KEY)))


def test_the_example_of_the_standard_is_right() -> None:
    claims = token_claims(RFC_TOKEN, public_keys(json.dumps(RFC_KEY)))
    assert claims == {"iss": "joe", "exp": 1300819380, "http://example.com/is_root": True}


def test_a_token_of_another_key_is_refused() -> None:
    with pytest.raises(BadToken):
        token_claims(RFC_TOKEN, KEYS)
    with pytest.raises(BadToken):
        token_claims(signed_token({}, OTHER_KEY), KEYS)


def test_a_token_altered_anywhere_is_refused() -> None:
    token = signed_token({"sub": "ann"})
    assert token_claims(token, KEYS) == {"sub": "ann"}
    for place in range(0, len(token), 7):
        altered = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        with pytest.raises(BadToken):
            token_claims(altered, KEYS)


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none"},
        {"alg": "HS256"},
        {"alg": "RS512"},
        {"alg": "rs256"},
        {},
        {"alg": "RS256", "crit": ["b64"]},
        {"alg": ["RS256"]},
    ],
)
def test_the_token_does_not_choose_how_it_is_checked(header: dict[str, Any]) -> None:
    with pytest.raises(BadToken):
        token_claims(signed_token({}, header=header), KEYS)


def test_a_token_without_signature_is_refused() -> None:
    header, claims, _ = signed_token({}).split(".")
    none = encoded(json.dumps({"alg": "none"}).encode())
    for token in (f"{header}.{claims}.", f"{none}.{claims}.", f"{header}.{claims}", "", "..", ".", "a.b.c", "é.é.é"):
        with pytest.raises(BadToken):
            token_claims(token, KEYS)


@pytest.mark.parametrize("signature", [b"\x00", b"\x00" * 256, b"\x01" + b"\x00" * 255, b"\xff" * 256, b"\x00" * 257])
def test_numbers_that_are_no_signature_are_refused(signature: bytes) -> None:
    message = signed_token({}).rpartition(".")[0]
    with pytest.raises(BadToken):
        token_claims(f"{message}.{encoded(signature)}", KEYS)


def test_a_signature_with_loose_padding_is_refused() -> None:
    """As forged for small exponents: the hash not at the end of the padded message."""
    token = signed_token({}, SigningKey(SIGNING_KEY.modulus, SIGNING_KEY.private, padding=8))
    with pytest.raises(BadToken):
        token_claims(token, KEYS)


def test_the_key_is_chosen_by_its_name() -> None:
    entries = [{**key_set(key)["keys"][0], "kid": name} for name, key in (("a", OTHER_KEY), ("b", SIGNING_KEY))]
    both = public_keys(json.dumps({"keys": entries}))
    assert token_claims(signed_token({}), both) == {}
    assert token_claims(signed_token({}, header={"alg": "RS256", "kid": "b"}), both) == {}
    with pytest.raises(BadToken):
        token_claims(signed_token({}, header={"alg": "RS256", "kid": "a"}), both)


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, "1" * 10_000, "\ud800", "NaN"])
def test_what_is_no_set_of_keys_is_refused(deep: str) -> None:
    with pytest.raises(Refused):
        public_keys(deep)


@pytest.mark.parametrize(
    "change",
    [
        {"kty": "EC"},
        {"alg": "RS512"},
        {"n": "AQAB"},
        {"n": "A" * 400},
        {"n": "*"},
        {"n": 5},
        {"e": "AA"},
        {"e": "Ag"},
        {"e": "_" * 30},
        {"e": None},
    ],
)
def test_a_key_that_cannot_be_used_is_refused(change: dict[str, Any]) -> None:
    entry = key_set(SIGNING_KEY)["keys"][0] | change
    with pytest.raises(Refused, match="Key 1"):
        public_keys(json.dumps({"keys": [entry]}))


def test_a_set_without_keys_is_refused() -> None:
    for text in ('{"keys": []}', '{"keys": {}}', '{"keys": null}'):
        with pytest.raises(Refused, match="no keys"):
            public_keys(text)
