"""Classes of material: which combinations of face-up pieces are one endgame under other names.

Adjacent captures are all that tells kinds apart, besides that a cannon jumps. So two combinations are one class if a
bijection of their pieces, each side onto one side, keeps who takes whom, both ways, and maps cannons to cannons; the
sides may swap. (Where cannons do not jump, keeping them apart is not needed and only makes the classes finer.)

Why the canonical form is complete (equal forms if and only if isomorphic):

1. Pieces of one side with the same label (cannon or not) and the same relation to every enemy piece are *twins*.
   Being twins is defined by what an isomorphism keeps, so it maps classes of twins onto classes of twins of the same
   size. Merging each class into one *group* leaves the *skeleton*: the groups with their labels and relation. An
   isomorphism thus gives one of the skeletons that keeps the groups' sizes. Conversely, an isomorphism of skeletons
   that keeps sizes lifts to the pieces by any bijection inside each group, since nothing tells twins apart.
2. A skeleton depends on which kinds are present, not on how many. It is described by its groups in some order, one
   side after the other, and a description states all labels and the whole relation. The skeleton's form is the least
   description over both orders of the sides and the orders of the groups. The orders left out are those that do not
   sort the first side by an invariant, or the second by its relation to the first: isomorphic skeletons leave out
   corresponding ones. So isomorphic skeletons have one form, and equal forms are equal relations.
3. The orders that reach the form, the *seatings*, are all isomorphisms from the skeleton to the one that the form
   describes. An isomorphism that keeps sizes turns the seatings of one skeleton into those of the other with the
   same vectors of sizes, so their least vectors are equal. Conversely, equal least vectors give an isomorphism that
   keeps sizes: from one skeleton by its seating to the form, and back by the other's.

A combination's form is its skeleton's number beside the least vector of sizes, packed without loss: nothing is hashed.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, permutations, product

import numpy as np
import numpy.typing as npt

from banqi.piece_set import KINDS, PIECE_SETS

_SET = tuple(kind.count for kind in PIECE_SETS["banqi"].kinds.values())

Combinations = npt.NDArray[np.uint8]
"""Shape (n, 2, 7): how many pieces of each of KINDS the two sides have."""

Forms = npt.NDArray[np.int64]
"""Shape (n, 2): a skeleton's number; the sizes of its groups less one, `_SIZE_BITS` each, the first group lowest."""

# A group is a tuple of identities: 0-6 are the kinds of the side that comes first in a combination, 7-13 the other's.
_Group = tuple[int, ...]
_Description = tuple[tuple[bool, ...], tuple[tuple[bool, tuple[int, ...]], ...]]
_Relation = Sequence[Sequence[int]]

_IDENTITIES = 2 * len(KINDS)
_CANNONS = frozenset(i for i, kind in enumerate(2 * KINDS) if kind == "C")
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
    """The classes under one capture table.

    takes(attacker, target): whether a piece of one kind, a letter of KINDS, takes one of another on the next square.
    """

    def __init__(self, takes: Callable[[str, str], bool]) -> None:
        """Describe the skeletons of all 127 x 127 pairs of sets of kinds; about a second."""
        relation = [[takes(a, b) + 2 * takes(b, a) for b in 2 * KINDS] for a in 2 * KINDS]
        masks = range(1, 1 << len(KINDS))
        described = {pair: _describe(relation, *pair) for pair in product(masks, repeat=2)}
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


def _describe(relation: _Relation, first: int, second: int) -> tuple[_Description, list[list[_Group]]]:
    """The form and the seatings of the skeleton of two sets of kinds, given as bit masks."""
    one = [k for k in range(len(KINDS)) if first >> k & 1]
    other = [k + len(KINDS) for k in range(len(KINDS)) if second >> k & 1]
    sides = _groups(relation, one, other), _groups(relation, other, one)
    described = [*_orders(relation, *sides), *_orders(relation, *reversed(sides))]
    form = min(description for description, _ in described)
    return form, [order for description, order in described if description == form]


def _groups(relation: _Relation, own: Sequence[int], enemy: Sequence[int]) -> list[_Group]:
    """One side's identities, twins together."""
    groups: dict[tuple[bool, tuple[int, ...]], list[int]] = {}
    for i in own:
        groups.setdefault((i in _CANNONS, tuple(relation[i][e] for e in enemy)), []).append(i)
    return [tuple(group) for group in groups.values()]


def _orders(
    relation: _Relation, first: Sequence[_Group], second: Sequence[_Group]
) -> Iterator[tuple[_Description, list[_Group]]]:
    """The descriptions of a skeleton with this order of its sides, each with the order of groups that it follows."""

    def label(group: _Group) -> bool:
        return group[0] in _CANNONS

    def invariant(group: _Group) -> tuple[bool, list[tuple[bool, int]]]:
        return label(group), sorted((label(enemy), relation[group[0]][enemy[0]]) for enemy in second)

    ties = [list(tie) for _, tie in groupby(sorted(first, key=invariant), invariant)]
    for tied in product(*map(permutations, ties)):
        rows = list(chain.from_iterable(tied))
        # No two groups of the second side are twins, so their columns differ and have one order.
        columns = sorted(((label(g), tuple(relation[row[0]][g[0]] for row in rows)), g) for g in second)
        yield (tuple(map(label, rows)), tuple(column for column, _ in columns)), rows + [g for _, g in columns]


def _weights(seating: Sequence[_Group]) -> npt.NDArray[np.int64]:
    """What one piece of each identity adds to the packed sizes; shape (14,)."""
    weights = np.zeros(_IDENTITIES, np.int64)
    for place, group in enumerate(seating):
        weights[list(group)] = 1 << _SIZE_BITS * place
    return weights
