"""How often somebody may try to log in.

Passwords are guessed in two ways: many for one account, from ever new addresses, and a common one for many accounts,
from one address. So attempts are counted before the password is looked at, in three ways:

- per account and address: five in a quarter of an hour;
- per address, whatever the accounts: twenty in a quarter of an hour;
- per account, from all addresses together: ten in a quarter of an hour, and then one a minute.

An attempt with the right password is given back, so that only wrong ones add up. An account is slowed and never
locked: its owner gets in again when the attack is over, and during it in a browser in which they have logged in
before, whose attempts are counted by themselves. An administrator can forget all counts (`manage.py unlock_logins`).

Nothing depends on whether an account exists: every name is counted alike and gets the same answer.
"""

import unicodedata
from dataclasses import dataclass

from common.errors import TooManyRequests
from common.rate_limits import RateLimit, rate_counts_forget, rate_limit_give_back, rate_limit_take

QUARTER, MINUTE = 15 * 60, 60
ACCOUNT_AND_ADDRESS = RateLimit("login-account-and-address", 5, QUARTER)
ADDRESS = RateLimit("login-address", 20, QUARTER)
ACCOUNT = RateLimit("login-account", 10, QUARTER)
ACCOUNT_SLOWED = RateLimit("login-account-slowed", 1, MINUTE)
KNOWN_BROWSER = RateLimit("login-known-browser", 10, QUARTER)
ALL = (ACCOUNT_AND_ADDRESS, ADDRESS, ACCOUNT, ACCOUNT_SLOWED, KNOWN_BROWSER)
MAX_NAME_LENGTH = 254


@dataclass(frozen=True)
class LoginAttempt:
    """Who tries to log in; `browser` is set if somebody has logged in to the account in this browser before."""

    account: str
    address: str
    browser: str = ""


def account_key(username: str) -> str:
    """Return a name as it is counted: however it is typed, it is the same account.

    The form takes the spaces around a name away before it looks for the account, and so must this; what is too long
    for any account is counted as one.
    """
    name = username.strip()
    if len(name) > MAX_NAME_LENGTH:
        return ""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def login_attempt_take(attempt: LoginAttempt) -> None:
    """Count an attempt before its password is looked at; raise TooManyRequests if it must not be."""
    if attempt.browser:
        rate_limit_take(KNOWN_BROWSER, attempt.account, attempt.browser)
        return
    rate_limit_take(ACCOUNT_AND_ADDRESS, attempt.account, attempt.address)
    rate_limit_take(ADDRESS, attempt.address)
    try:
        rate_limit_take(ACCOUNT, attempt.account)
    except TooManyRequests:
        rate_limit_take(ACCOUNT_SLOWED, attempt.account)


def login_attempt_give_back(attempt: LoginAttempt) -> None:
    """Take back the count of an attempt whose password was right."""
    if attempt.browser:
        rate_limit_give_back(KNOWN_BROWSER, attempt.account, attempt.browser)
        return
    rate_limit_give_back(ACCOUNT_AND_ADDRESS, attempt.account, attempt.address)
    rate_limit_give_back(ADDRESS, attempt.address)
    rate_limit_give_back(ACCOUNT, attempt.account)


def login_attempts_forget() -> int:
    """Let everybody who has to wait try again at once; return how many counts were deleted."""
    return rate_counts_forget(ALL)
