"""Tokens as a platform signs them; the keys are of tests alone."""

import json
from base64 import urlsafe_b64encode
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256


def encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def key_set(key: RSAPrivateKey) -> dict[str, Any]:
    """The public half, as a platform publishes it."""
    numbers = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {"keys": [{"alg": "RS256", "use": "sig", **{name: numbers[name] for name in ("kty", "n", "e")}}]}


def signed_token(claims: dict[str, Any], key: RSAPrivateKey | None = None, header: dict[str, Any] | None = None) -> str:
    """A token with any header: PyJWT makes only those that it would take."""
    parts = (header if header is not None else {"alg": "RS256", "typ": "JWT"}, claims)
    message = ".".join(encoded(json.dumps(part).encode()) for part in parts)
    return f"{message}.{encoded((key or SIGNING_KEY).sign(message.encode(), PKCS1v15(), SHA256()))}"


def _private_key(modulus: str, private: str) -> RSAPrivateKey:
    key = jwt.PyJWK({"kty": "RSA", "e": "AQAB", "n": modulus, "d": private}).key
    assert isinstance(key, RSAPrivateKey)
    return key


SIGNING_KEY = _private_key(
    (
        "hruJmhE_uasYppwA87jC4WhqZuptG_iff3ggYQfCzy99UP9g_YdDDRSlBQWLil0kKAfh_zgyHsSq_6Hzrsfg-P57r6HExdP_C3gg"
        "RH6HpXR0Jiqsi_ue4HYgMlDScSzSc4iQJz3tG-8VheVfMbD_AMqKx6GdWPzAlwDaV5K0KuuHdGss2i3As4oRa1fI-GtaefM7p3eS"
        "gmiUKI1WktGN98P8FCluCiloT-1kGD0jY5OU9O7Fq9Rw5NvI5ZMEjxDmorKjCnEpaga08VkhoIO7iucluJWP4OTg0ATX8HlhYm4r"
        "WMOd8mpFM0W58uV4nsIZTWKtOa-og8338to413SIxw"
    ),
    (
        "GKC0LNzlTJ-JUH8or2RA_ynydSB51EiUgxzmskXUZsHUAtfDl2Q_rebtqSbT1HVlFAoo1dmkU7p4VWT5oaO4rFr8KeUEjnLLZoHN"
        "SCfmzKgmSQm445eZeYcuKHRcm0Jpr6OxUfMAYgBIa2K7jV5AppjfWFFi7S66V3_Y6XQQCd4izXzUkyPW2eUgZV2zhJyx0_ZkohA3"
        "MPAvsbNH3srkXYhPZgYMiCnySIdazUclJxb-JR-osH4Xiuj3iCs6M5kLGo4mlxUzMX9sJW3CJGppkEZ2JbnMvUeCKuSQLKCXUnet"
        "Ro92GvfhJ4nCcvb0cyoU-obCQ3xiXkdkJF1RC7rzTQ"
    ),
)
OTHER_KEY = _private_key(
    (
        "pG43OFma6lWW3BSbkwW_yru-sytB-_n1lnAICwh7KZ0wMEFgHyBzs0FDOWuqifXNfdkg0LAvi7s5PuRX72kmnLe4zvbW_uevEfts"
        "Xkfa7S7XA_NZ_bBoO9BoK0S4IqCsg2Y7gqdASjosPvQWQTLe2UPCsQc6l2umahyqwvuz3Ga0KbneTDYtVjWkliUPTwFIgwhWQr_9"
        "67XxdAwLE_PaGBiwUVl1whXw5-a5v8msVQ2gRXTKbKnNvXZp1YSxtn8aFOHHO6xlrdSi4hmFyy_4GjMQxtW-uZF8NPIaciUh1JWn"
        "NQAGGautE-8Wb6znwXD4b_oUVi-SWYcFlyrP1M6WsQ"
    ),
    (
        "A7N7_s-PhXV8CF1wLtQOJnVPr2jXTgfPXH2n9-QCB7E2bJ085jGpp2_q4DMMjkxQCr4VXcH1emoleZIT6ggX7fOgHCWuUbCfCwls"
        "5BNiE2NYRIolk3VoZzfdIsowpEDkssfdXSbzTMIFJtaa9whuDGRlnVMtFH7zd24VQhj-lt5xgU0euQ611O5ip-gFv93XA__CdG53"
        "wgW_kMz0k5t2K8XmZtpaPyGDU3we9K3r1U1ZTwfhyRRKsEjFENw9pyWlaE1bciJwCGHpBbdJowSkhyZz3y1t1_S37TJAqE0aoC-b"
        "_sdch2kT5bK1qVFDooQpAkcuFfAyLZ2feUinO9mTcQ"
    ),
)
