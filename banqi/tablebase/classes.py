"""Classes of material: which combinations of pieces are one ending under other names.

Adjacent captures are all that tells kinds apart, besides that a cannon jumps where the rule set lets it, and that a
piece may lie face down. So two combinations are one class if a bijection of their pieces, each side onto one side,
keeps who takes whom, both ways, maps jumping cannons to jumping cannons and face-down pieces to face-down pieces; the
sides may swap.

Why the canonical form is complete (equal forms if and only if isomorphic):

1. Pieces of one side with the same label (jumping cannon or not, face down or not) and the same relation to every
   enemy piece are *twins*. Being twins is defined by what an isomorphism keeps, so it maps classes of twins onto
   classes of twins of one size. Merging each class into one *group* leaves the *skeleton*: the groups with their labels
   and relation. An isomorphism thus gives one of the skeletons that keeps the groups' sizes. Conversely, one of
   skeletons that keeps sizes lifts to the pieces by any bijection inside each group, since nothing tells twins apart.
2. A skeleton depends on which kinds are present, not on how many. It is described by its groups in some order, one
   side after the other, and a description states all labels and the whole relation. The skeleton's form is the least
   description over both orders of the sides and the orders of the groups. The orders left out are those that do not
   sort the first side by an invariant, or the second by its relation to the first: isomorphic skeletons leave out
   corresponding ones. So isomorphic skeletons have one form, and equal forms are equal relations.
3. The orders that reach the form, the *seatings*, are all isomorphisms from the skeleton to the one that the form
   describes. An isomorphism that keeps sizes turns the seatings of one skeleton into those of the other with the
   same vectors of sizes, so their least vectors are equal. Conversely, equal least vectors give an isomorphism that
   keeps sizes: from one skeleton by its seating to the form, and back by the other's.

A combination's form is its skeleton beside the least vector of sizes. `MaterialClasses` counts classes by the million:
there a form is a skeleton's number and packed sizes; nothing is lost or hashed. `Classes` is for those that tables are
built of.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, groupby, permutations, product

import numpy as np
import numpy.typing as npt

from banqi.errors import TablebaseError, shown
from banqi.piece_set import KINDS, SET_COUNTS
from banqi.rules import Rules

_SET = tuple(SET_COUNTS[kind] for kind in KINDS)

Combinations = npt.NDArray[np.uint8]
"""Shape (n, 2, 7): how many pieces of each of KINDS the two sides have."""

Forms = npt.NDArray[np.int64]
"""Shape (n, 2): a skeleton's number; the sizes of its groups less one, `_SIZE_BITS` each, the first group lowest."""

# What pieces are told apart by: 0-6 are the kinds of the side that comes first in a combination, face up, 7-13 the
# other's; 14-27 the same face down. A group is a tuple of them.
_Group = tuple[int, ...]
_Label = tuple[bool, bool]
_Description = tuple[tuple[_Label, ...], tuple[tuple[_Label, tuple[int, ...]], ...]]
_Relation = Sequence[Sequence[int]]
_Seating = tuple[_Group, ...]

_IDENTITIES = 2 * len(KINDS)
_SIZE_BITS = 4  # a group has 1 to 16 pieces; 14 groups of them fit into 64 bits
_CHUNK = 1 << 16


def combinations(fewest: int = 3, most: int = 2 * sum(_SET)) -> Combinations:
    """All ordered combinations of `fewest` to `most` pieces on both sides together, at least one on each."""
    side = np.indices([n + 1 for n in _SET], np.uint8).reshape(len(_SET), -1).T[1:]
    pieces = side.sum(axis=1, dtype=np.int64)
    together = pieces[:, None] + pieces
    first, second = np.nonzero((fewest <= together) & (together <= most))
    return np.stack([side[first], side[second]], axis=1)


def count(forms: Forms) -> int:
    """How many different rows, that is classes, there are."""
    ordered = forms[np.lexsort(forms.T)]
    return min(len(forms), 1) + int((ordered[1:] != ordered[:-1]).any(axis=1).sum())


class MaterialClasses:
    """The classes of face-up pieces under a rule set, for counting."""

    def __init__(self, rules: Rules) -> None:
        """Describe the skeletons of all 127 x 127 pairs of sets of kinds; about a second."""
        skeletons = _Skeletons(rules)
        masks = range(1, 1 << len(KINDS))
        described = {(a, b): skeletons.describe(a | b << len(KINDS)) for a, b in product(masks, repeat=2)}
        number = {form: i for i, form in enumerate(sorted({form for form, _ in described.values()}))}
        most = max(len(seatings) for _, seatings in described.values())
        shape = (masks.stop, masks.stop)
        self._skeleton = np.zeros(shape, np.int64)
        # A packed vector of sizes is linear in the counts: one row of weights for each seating, the first one repeated
        # where there are fewer than `most`, and the subtraction of one from every size.
        self._weights = np.zeros((*shape, most, _IDENTITIES), np.int64)
        self._ones = np.zeros(shape, np.int64)
        for pair, (form, seatings) in described.items():
            self._skeleton[pair] = number[form]
            self._weights[pair] = _weights(seatings[0])
            for row, seating in enumerate(seatings):
                self._weights[pair][row] = _weights(seating)
            self._ones[pair] = sum(1 << _SIZE_BITS * place for place in range(len(seatings[0])))

    def canonical(self, combinations: Combinations) -> Forms:
        """The combinations' forms: rows are equal if and only if the combinations are one class.

        Raises ValueError where a side has no piece or more of a kind than its set.
        """
        if (combinations > _SET).any() or not combinations.any(axis=2).all():
            raise ValueError("a side of a combination has no piece or more of a kind than its set")
        forms = np.empty((len(combinations), 2), np.int64)
        bit = 1 << np.arange(len(KINDS))
        for start in range(0, len(combinations), _CHUNK):
            chunk = combinations[start : start + _CHUNK]
            first, second = ((chunk > 0) @ bit).T
            counts = chunk.reshape(-1, _IDENTITIES, 1).astype(np.int64)
            packed = (self._weights[first, second] @ counts)[..., 0]
            forms[start : start + _CHUNK, 0] = self._skeleton[first, second]
            forms[start : start + _CHUNK, 1] = packed.min(axis=1) - self._ones[first, second]
        return forms


class _Skeletons:
    """Describes skeletons under one capture table."""

    def __init__(self, rules: Rules) -> None:
        kinds = [identity % len(KINDS) for identity in range(2 * _IDENTITIES)]
        takes = [[rules.takes(a, b) for b in KINDS] for a in KINDS]
        self._relation: _Relation = [[takes[a][b] + 2 * takes[b][a] for b in kinds] for a in kinds]
        jumper = KINDS.index("C") if rules.cannon_jumps else -1
        self._label: Sequence[_Label] = [(kind == jumper, i >= _IDENTITIES) for i, kind in enumerate(kinds)]

    def describe(self, present: int) -> tuple[_Description, list[_Seating]]:
        """The form and the seatings of the skeleton of the identities in a bit mask; both sides have one."""
        one, other = (
            [i for i in range(2 * _IDENTITIES) if present >> i & 1 and i % _IDENTITIES // len(KINDS) == side]
            for side in (0, 1)
        )
        sides = self._groups(one, other), self._groups(other, one)
        described = [*self._orders(*sides), *self._orders(*reversed(sides))]
        form = min(description for description, _ in described)
        return form, [order for description, order in described if description == form]

    def _groups(self, own: Sequence[int], enemy: Sequence[int]) -> list[_Group]:
        """One side's identities, twins together."""
        groups: dict[tuple[_Label, tuple[int, ...]], list[int]] = {}
        for i in own:
            groups.setdefault((self._label[i], tuple(self._relation[i][e] for e in enemy)), []).append(i)
        return [tuple(group) for group in groups.values()]

    def _orders(self, first: Sequence[_Group], second: Sequence[_Group]) -> Iterator[tuple[_Description, _Seating]]:
        """The descriptions of a skeleton with this order of its sides, each with the order of groups it follows."""

        def label(group: _Group) -> _Label:
            return self._label[group[0]]

        def invariant(group: _Group) -> tuple[_Label, list[tuple[_Label, int]]]:
            return label(group), sorted((label(enemy), self._relation[group[0]][enemy[0]]) for enemy in second)

        ties = [list(tie) for _, tie in groupby(sorted(first, key=invariant), invariant)]
        for tied in product(*map(permutations, ties)):
            rows = list(chain.from_iterable(tied))
            # No two groups of the second side are twins, so their columns differ and have one order.
            columns = sorted(((label(g), tuple(self._relation[row[0]][g[0]] for row in rows)), g) for g in second)
            description = tuple(map(label, rows)), tuple(column for column, _ in columns)
            yield description, (*rows, *(g for _, g in columns))


def _weights(seating: Sequence[_Group]) -> npt.NDArray[np.int64]:
    """What one piece of each identity adds to the packed sizes; shape (14,)."""
    weights = np.zeros(_IDENTITIES, np.int64)
    for place, group in enumerate(seating):
        weights[list(group)] = 1 << _SIZE_BITS * place
    return weights


# ---- the classes that tables are built of ------------------------------------------------------------------------

_LETTERS = KINDS + KINDS.lower()
_SIDES_TEXT = rf"([{KINDS}]*)v([{KINDS.lower()}]*)"
_NAME = re.compile(rf"{_SIDES_TEXT}(?:\+{_SIDES_TEXT})?")


@dataclass(frozen=True, slots=True)
class Material:
    """What is on the board: `up` face up and `down` face down, 14 counts each in the order KGMRNCPkgmrncp.

    Its text has the face-up pieces of both sides and, behind a +, what lies face down: `KPvm`, `KPvm+Gvp`.
    """

    up: tuple[int, ...]
    down: tuple[int, ...] = (0,) * _IDENTITIES

    @classmethod
    def parse(cls, text: str) -> "Material":
        """Read the text of a material.

        Raises:
            TablebaseError: it is none.
        """
        match = _NAME.fullmatch(text)
        if match is None:
            raise TablebaseError(f"{shown(text)} is no material, as KPvm is, or KPvm+Gvp with G and p face down")
        up, down = (match[1] + match[2], (match[3] or "") + (match[4] or ""))
        return cls(tuple(up.count(i) for i in _LETTERS), tuple(down.count(i) for i in _LETTERS))

    def __str__(self) -> str:
        # No two materials differ in upper and lower case alone: their texts name files.
        return "+".join(_text(counts) for counts in (self.up, self.down)[: 1 + any(self.down)])

    @property
    def pieces(self) -> int:
        """How many pieces there are, face up or down."""
        return sum(self.up) + sum(self.down)

    @property
    def hidden(self) -> int:
        """How many lie face down."""
        return sum(self.down)

    def has_both_sides(self) -> bool:
        """Whether each side has a piece, face up or down."""
        return all(any(self.up[side]) or any(self.down[side]) for side in _SIDES)

    def is_of_set(self) -> bool:
        """Whether no kind has more pieces, face up and down together, than a set."""
        return all(n + m <= limit for n, m, limit in zip(self.up, self.down, 2 * _SET, strict=True))

    def without(self, identity: int) -> "Material":
        """The same less one face-up piece."""
        return Material(_changed(self.up, identity, -1), self.down)

    def shown(self, identity: int) -> "Material":
        """The same with one face-down piece turned up."""
        return Material(_changed(self.up, identity, 1), _changed(self.down, identity, -1))

    def rank(self) -> tuple[int, ...]:
        """The smaller, the rather it names its class: the highest kinds, red's first."""
        return tuple(-n for n in self.up + self.down)


_SIDES = (slice(0, len(KINDS)), slice(len(KINDS), _IDENTITIES))


def _text(counts: Sequence[int]) -> str:
    red, black = ("".join(kind * n for kind, n in zip(KINDS, counts[side], strict=True)) for side in _SIDES)
    return f"{red}v{black.lower()}"


def _changed(counts: tuple[int, ...], identity: int, by: int) -> tuple[int, ...]:
    return (*counts[:identity], counts[identity] + by, *counts[identity + 1 :])


@dataclass(frozen=True, slots=True)
class MaterialClass:
    """Materials that are one ending, under the name of one of them.

    material: its red pieces are the class's first side. groups: for each group of face-up pieces that nothing tells
    apart, how many they are; the first side's, then the second's. first: how many of the groups are the first side's.
    letters: the pieces of `material` in each group. symmetric: whether the sides can be exchanged, so that only
    positions with the first side to move are stored.
    """

    material: Material
    groups: tuple[int, ...]
    first: int
    letters: tuple[str, ...]
    symmetric: bool

    @property
    def name(self) -> str:
        """The text of the material that stands for the class."""
        return str(self.material)

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return self.material.pieces

    @property
    def hidden(self) -> int:
        """How many lie face down."""
        return self.material.hidden


@dataclass(frozen=True, slots=True)
class Member:
    """A material of a class, and how its pieces are seated there.

    groups: for red and for black to move, for each identity KGMRNCPkgmrncp the group of its face-up pieces, -1 if there
    are none. second: for red and for black to move, whether the class's second side is to move.
    """

    material: Material
    groups: tuple[tuple[int, ...], tuple[int, ...]]
    second: tuple[bool, bool]


def table_rules(rules: Rules, hidden: int) -> Rules:
    """Return what of a rule set decides about endings with so many pieces face down: tables belong to that.

    When a game is drawn does not: tables take endless play for a draw. What is attempted and whether face-down pieces
    are screens matters only where there are any.

    Raises:
        TablebaseError: there are no tables for such rules.
    """
    if rules.board != "4x8":
        raise TablebaseError(f"there are no endgame tables for {rules}: they are for the 4 x 8 board")
    if rules.perpetual == "loses":
        raise TablebaseError(f"there are no endgame tables for {rules}: they take endless play for a draw")
    plain = replace(rules, repetition=3, quiet_limit=180)
    return plain if hidden else replace(plain, dark_capture=False, screens="any")


class Classes:
    """The classes of a rule set's endings."""

    def __init__(self, rules: Rules) -> None:
        self._skeletons = _Skeletons(rules)
        self._rules = rules
        self._described: dict[int, tuple[_Description, list[_Seating]]] = {}
        self._all: dict[tuple[int, int], dict[str, tuple[MaterialClass, list[Member]]]] = {}
        self._names: dict[tuple[int, int], dict[Material, str]] = {}

    def of_size(self, pieces: int, hidden: int = 0) -> list[MaterialClass]:
        """All classes of so many pieces, `hidden` of them face down, in the order of their names."""
        return [entry for entry, _ in self._table(pieces, hidden).values()]

    def find(self, material: Material) -> MaterialClass:
        """The class of a material.

        Raises:
            TablebaseError: a side has no piece, or more of a kind than its set.
        """
        if not material.is_of_set() or not material.has_both_sides():
            raise TablebaseError(f"{material} is no material of an ending")
        table = self._table(material.pieces, material.hidden)
        return table[self._names[material.pieces, material.hidden][material]][0]

    def members(self, entry: MaterialClass) -> list[Member]:
        """All materials of a class, in either order of the sides."""
        return self._table(entry.pieces, entry.hidden)[entry.name][1]

    def successors(self, entry: MaterialClass) -> list[MaterialClass]:
        """The classes that one capture, attempt or flip leads to."""
        material, rules = entry.material, self._rules
        present = [i for i in range(_IDENTITIES) if material.up[i]]
        after = {material.shown(i) for i in range(_IDENTITIES) if material.down[i]}
        targets = [(material.without(i), i) for i in present]
        if rules.dark_capture:
            targets += [(shown.without(i), i) for shown in after for i in range(_IDENTITIES) if shown != material]
        for attacker, (left, victim) in product(present, targets):
            kinds = KINDS[attacker % len(KINDS)], KINDS[victim % len(KINDS)]
            enemies = attacker // len(KINDS) != victim // len(KINDS)
            if enemies and (rules.takes(*kinds) or (kinds[0] == "C" and rules.cannon_jumps)) and min(left.up) >= 0:
                after.add(left)
        return sorted({self.find(m) for m in after if m.has_both_sides()}, key=lambda found: found.name)

    def all_successors(self, entry: MaterialClass) -> list[MaterialClass]:
        """The classes that play can lead to."""
        found: dict[str, MaterialClass] = {}
        waiting = [entry]
        while waiting:
            for after in self.successors(waiting.pop()):
                if after.name not in found:
                    found[after.name] = after
                    waiting.append(after)
        return [found[name] for name in sorted(found)]

    def _describe(self, material: Material) -> tuple[_Description, tuple[int, ...], list[_Seating]]:
        """The form of a material, its skeleton and sizes, and the seatings that reach it."""
        counts = material.up + material.down
        present = sum(1 << i for i, n in enumerate(counts) if n)
        if present not in self._described:
            self._described[present] = self._skeletons.describe(present)
        description, seatings = self._described[present]
        sized = [(tuple(sum(counts[i] for i in group) for group in seating), seating) for seating in seatings]
        sizes = min(size for size, _ in sized)
        return description, sizes, [seating for size, seating in sized if size == sizes]

    def _table(self, pieces: int, hidden: int) -> dict[str, tuple[MaterialClass, list[Member]]]:
        """For each class of a size, by name, the class and its members."""
        key = pieces, hidden
        if key not in self._all:
            found: dict[object, list[tuple[Material, list[_Seating]]]] = {}
            for material in _materials(pieces, hidden):
                description, sizes, seatings = self._describe(material)
                found.setdefault((description, sizes), []).append((material, seatings))
            entries = [_class_of(members) for members in found.values()]
            self._all[key] = {
                entry.name: (entry, members) for entry, members in sorted(entries, key=lambda e: e[0].name)
            }
            self._names[key] = {m.material: name for name, (_, members) in self._all[key].items() for m in members}
        return self._all[key]


def _class_of(members: list[tuple[Material, list[_Seating]]]) -> tuple[MaterialClass, list[Member]]:
    """A class from its materials, each with its seatings. It is named by one whose red pieces are the first side."""
    red_first = [
        (m, min(s for s in seatings if _side_of(s) == 0)) for m, seatings in members if _has_red_first(seatings)
    ]
    material, seating = min(red_first, key=lambda member: member[0].rank())
    up = [group for group in seating if group[0] < _IDENTITIES]
    seatings = next(seatings for m, seatings in members if m is material)
    entry = MaterialClass(
        material,
        tuple(sum(material.up[i] for i in group) for group in up),
        sum(group[0] < len(KINDS) for group in up),
        tuple("".join(_LETTERS[i] * material.up[i] for i in group) for group in up),
        len({_side_of(seating) for seating in seatings}) == 2,
    )
    return entry, [_member(material, seatings) for material, seatings in members]


def _has_red_first(seatings: list[_Seating]) -> bool:
    return any(_side_of(seating) == 0 for seating in seatings)


def _side_of(seating: _Seating) -> int:
    """The colour that comes first."""
    return seating[0][0] % _IDENTITIES // len(KINDS)


def _member(material: Material, seatings: list[_Seating]) -> Member:
    maps = {_side_of(seating): _group_map(seating) for seating in reversed(seatings)}
    if len(maps) == 2:
        # Symmetric: the side to move is always taken for the first.
        return Member(material, (maps[0], maps[1]), (False, False))
    ((first, groups),) = maps.items()
    return Member(material, (groups, groups), (first == 1, first == 0))


def _group_map(seating: _Seating) -> tuple[int, ...]:
    group_of = [-1] * _IDENTITIES
    for place, group in enumerate(group for group in seating if group[0] < _IDENTITIES):
        for identity in group:
            group_of[identity] = place
    return tuple(group_of)


def _materials(pieces: int, hidden: int) -> Iterator[Material]:
    """All materials of so many pieces, `hidden` of them face down, with something of each side."""
    limits = 2 * _SET
    for down in _multisets(hidden, limits):
        left = [limit - n for limit, n in zip(limits, down, strict=True)]
        for up in _multisets(pieces - hidden, left):
            material = Material(up, down)
            if material.has_both_sides():
                yield material


def _multisets(size: int, limits: Sequence[int]) -> Iterable[tuple[int, ...]]:
    for chosen in combinations_with_replacement(range(_IDENTITIES), size):
        counts = tuple(chosen.count(i) for i in range(_IDENTITIES))
        if all(n <= limit for n, limit in zip(counts, limits, strict=True)):
            yield counts
