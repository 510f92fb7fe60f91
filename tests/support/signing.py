"""Tokens as a platform signs them; the keys are of tests alone."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from common.json_web_tokens import SHA256_PREFIX

LENGTH = 256  # bytes of a key


@dataclass(frozen=True)
class SigningKey:
    """An RSA key; with `padding`, it leaves so many bytes behind the hash free, as no true one does."""

    modulus: int
    private: int
    padding: int = 0

    def sign(self, message: bytes) -> bytes:
        tail = b"\x00" + SHA256_PREFIX + sha256(message).digest() + b"\x00" * self.padding
        padded = b"\x00\x01" + b"\xff" * (LENGTH - 2 - len(tail)) + tail
        return pow(int.from_bytes(padded), self.private, self.modulus).to_bytes(LENGTH)


def encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def key_set(key: SigningKey) -> dict[str, Any]:
    """The public half, as a platform publishes it."""
    number = {"n": encoded(key.modulus.to_bytes(LENGTH)), "e": "AQAB"}
    return {"keys": [{"kty": "RSA", "alg": "RS256", "use": "sig", **number}]}


def signed_token(claims: dict[str, Any], key: SigningKey | None = None, header: dict[str, Any] | None = None) -> str:
    parts = (header if header is not None else {"alg": "RS256", "typ": "JWT"}, claims)
    message = ".".join(encoded(json.dumps(part).encode()) for part in parts)
    return f"{message}.{encoded((key or SIGNING_KEY).sign(message.encode()))}"


SIGNING_KEY = SigningKey(
    int(
        "86bb899a113fb9ab18a69c00f3b8c2e1686a66ea6d1bf89f7f78206107c2cf2f7d50ff60fd87430d14a505058b8a5d242807"
        "e1ff38321ec4aaffa1f3aec7e0f8fe7bafa1c4c5d3ff0b7820447e87a57474262aac8bfb9ee076203250d2712cd273889027"
        "3ded1bef1585e55f31b0ff00ca8ac7a19d58fcc09700da5792b42aeb87746b2cda2dc0b38a116b57c8f86b5a79f33ba77792"
        "826894288d5692d18df7c3fc14296e0a29684fed64183d23639394f4eec5abd470e4dbc8e593048f10e6a2b2a30a71296a06"
        "b4f15921a083bb8ae725b8958fe0e4e0d004d7f07961626e2b58c39df26a453345b9f2e5789ec2194d62ad39afa883cdf7f2"
        "da38d77488c7",
        16,
    ),
    int(
        "18a0b42cdce54c9f89507f28af6440ff29f2752079d44894831ce6b245d466c1d402d7c397643fade6eda926d3d47565140a"
        "28d5d9a453ba785564f9a1a3b8ac5afc29e5048e72cb6681cd4827e6cca8264909b8e3979979872e28745c9b4269afa3b151"
        "f3006200486b62bb8d5e40a698df585162ed2eba577fd8e9741009de22cd7cd49323d6d9e520655db3849cb1d3f664a21037"
        "30f02fb1b347decae45d884f66060c8829f248875acd47252716fe251fa8b07e178ae8f7882b3a33990b1a8e26971533317f"
        "6c256dc2246a6990467625b9ccbd47822ae4902ca0975277ad468f761af7e12789c272f6f4732a14fa86c2437c625e476424"
        "5d510bbaf34d",
        16,
    ),
)
OTHER_KEY = SigningKey(
    int(
        "a46e3738599aea5596dc149b9305bfcabbbeb32b41fbf9f59670080b087b299d303041601f2073b34143396baa89f5cd7dd9"
        "20d0b02f8bbb393ee457ef69269cb7b8cef6d6fee7af11fb6c5e47daed2ed703f359fdb0683bd0682b44b822a0ac83663b82"
        "a7404a3a2c3ef4164132ded943c2b1073a976ba66a1caac2fbb3dc66b429b9de4c362d5635a496250f4f014883085642bffd"
        "ebb5f1740c0b13f3da1818b0515975c215f0e7e6b9bfc9ac550da04574ca6ca9cdbd7669d584b1b67f1a14e1c73bac65add4"
        "a2e21985cb2ff81a3310c6d5beb9917c34f21a722521d495a735000619abad13ef166face7c170f86ffa14562f9259870597"
        "2acfd4ce96b1",
        16,
    ),
    int(
        "3b37bfecf8f85757c085d702ed40e26754faf68d74e07cf5c7da7f7e40207b1366c9d3ce631a9a76feae0330c8e4c500abe1"
        "55dc1f57a6a25799213ea0817edf3a01c25ae51b09f0b096ce41362136358448a259375686737dd22ca30a440e4b2c7dd5d2"
        "6f34cc20526d69af7086e0c64659d532d147ef3776e154218fe96de71814d1eb90eb5d4ee62a7e805bfddd703ffc2746e77c"
        "205bf90ccf4939b762bc5e666da5a3f2183537c1ef4adebd54d594f07e1c9144ab048c510dc3da725a5684d5b7222700861e"
        "905b749a304a4872673df2d6dd7f4b7ed3240a84d1aa02f9bfec75c876913e5b2b5a95143a2842902472e15f0322d9d9f794"
        "8a73bd99371",
        16,
    ),
)
