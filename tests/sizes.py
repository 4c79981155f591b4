"""How large the large counts are: whole for `make verify`, a tenth otherwise."""

import os

VERIFY = os.environ.get("BANQI_VERIFY") == "1"


def tenth(whole: int) -> int:
    """The part of a count that this run takes: a tenth, but at least 1, or everything if BANQI_VERIFY is 1."""
    return whole if VERIFY else max(1, whole // 10)
