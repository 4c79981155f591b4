"""How often a client may ask for what: windows of the package limits, kept by each process for itself."""

from collections.abc import Mapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Final

import limits
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from banqi.errors import ServerError, shown

DEFAULTS: Final[Mapping[str, str]] = {
    "engine": "60/minute",
    "position": "300/minute",
    "create": "60/minute",
    "join": "60/minute",
    "read": "1200/minute",
    "page": "3000/minute",
    "request": "600/minute",
    "connect": "120/minute",
    "message": "20/second",
}
"""By the group of what is asked for; `message` is of a connection, all others of a client's address."""


class Rates:
    """The limits of each group. rates: those that differ from DEFAULTS, such as {"engine": "10/minute"}.

    Raises:
        ServerError: there is no such group, or the rate is none.
    """

    def __init__(self, rates: Mapping[str, str]) -> None:
        for group in rates:
            if group not in DEFAULTS:
                raise ServerError(f"there is no group {shown(group)} of rates; there are {', '.join(DEFAULTS)}")
        self._items = {group: _item(rate) for group, rate in {**DEFAULTS, **rates}.items()}
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def take(self, group: str, who: str) -> bool:
        """Count one; return whether it is within the limit."""
        return self._limiter.hit(self._items[group], group, who)

    def seconds(self, group: str) -> int:
        """After how long who was turned away may try again at the latest."""
        return self._items[group].get_expiry()


def address_of(client: tuple[str, int] | None) -> str:
    """Return who counts as one client: an IPv4 address, the 64 bits of an IPv6 network that a host may choose from."""
    if client is None:
        return "local"
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0]
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def _item(rate: str) -> limits.RateLimitItem:
    with suppress(ValueError):
        parsed = limits.parse(rate)
        if parsed.amount > 0 and parsed.multiples > 0:
            return parsed
    raise ServerError(f"a rate is written as 60/minute or 20/second, not {shown(rate)}")
