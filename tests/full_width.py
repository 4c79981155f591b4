"""An engine whose search leaves nothing out, so that what it says of a depth is that depth's own."""

from functools import partial
from typing import TYPE_CHECKING, cast

from banqi import Engine

if TYPE_CHECKING:
    from banqi.core.face import Core, Searcher


class FullWidthSearcher:
    """A searcher that leaves nothing out, so that a depth is a depth."""

    def __init__(self, searcher: "Searcher") -> None:
        self.think = partial(searcher.think, same_depth_only=True)
        self.stop = searcher.stop


class FullWidthEngine(Engine):
    """An engine that leaves nothing out."""

    def _searcher(self, core: "Core") -> "Searcher":
        return cast("Searcher", FullWidthSearcher(super()._searcher(core)))
