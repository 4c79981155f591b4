"""The board of Junqi, put together from the statements of section 7: which nodes are joined, and by what."""

from __future__ import annotations

FILES = "abcde"
ROWS = range(1, 13)
NODES = [f"{file}{row}" for row in ROWS for file in FILES]

CAMPS = {"b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10"}
HEADQUARTERS = {"b1", "d1", "b12", "d12"}
POSTS = [node for node in NODES if node not in CAMPS]

MOUNTAINS = {("b6", "b7"), ("d6", "d7")}
RAILWAY_ROWS = (2, 6, 7, 11)
RAILWAY_FILES = "ae"
MIDDLE_RAILWAY = ("c6", "c7")

UP, DOWN, LEFT, RIGHT = (0, 1), (0, -1), (-1, 0), (1, 0)
STRAIGHT = (UP, DOWN, LEFT, RIGHT)
SLANTING = ((-1, 1), (1, 1), (-1, -1), (1, -1))


def beside(node: str, step: tuple[int, int]) -> str | None:
    """The place one step of columns and rows away, joined or not; None off the board."""
    column, row = FILES.index(node[0]) + step[0], int(node[1:]) + step[1]
    return f"{FILES[column]}{row}" if column in range(len(FILES)) and row in ROWS else None


def is_edge(node: str, to: str, step: tuple[int, int]) -> bool:
    """Whether two nodes that lie one step apart are joined."""
    if step in SLANTING:
        return node in CAMPS or to in CAMPS
    return (node, to) not in MOUNTAINS and (to, node) not in MOUNTAINS


def is_railway(node: str, to: str) -> bool:
    """Whether the edge between two orthogonal neighbours is railway."""
    if {node, to} == set(MIDDLE_RAILWAY):
        return True
    if node[0] == to[0]:
        return node[0] in RAILWAY_FILES and all(2 <= int(end[1:]) <= 11 for end in (node, to))
    return int(node[1:]) in RAILWAY_ROWS


def joined(node: str) -> list[str]:
    """The nodes that an edge joins to this one."""
    steps = [(step, beside(node, step)) for step in STRAIGHT + SLANTING]
    return [to for step, to in steps if to is not None and is_edge(node, to, step)]


def line(node: str, step: tuple[int, int]) -> list[str]:
    """The nodes on the straight railway from a node in one direction, nearest first."""
    found = []
    to = beside(node, step)
    while to is not None and is_railway(node, to):
        found.append(to)
        node, to = to, beside(to, step)
    return found


ROADS = {node: joined(node) for node in NODES}
LINES = {node: [found for step in STRAIGHT if (found := line(node, step))] for node in NODES}
RAILWAY = {node: [found[0] for found in LINES[node]] for node in NODES}
