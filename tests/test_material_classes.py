"""The published counts of material classes, out of the package's own capture table.

Source of the counts: *Equivalence Classes in Chinese Dark Chess Endgames*, 2015.
"""

from itertools import permutations, product

import numpy as np
import numpy.typing as npt
import pytest

from banqi.piece_set import KINDS
from banqi.rules import Rules
from banqi.tablebase.classes import Combinations, MaterialClasses, combinations, count


@pytest.fixture(scope="module")
def taiwan() -> MaterialClasses:
    return MaterialClasses(Rules.parse("taiwan"))


def test_three_to_eight_pieces_fall_into_the_published_classes(taiwan: MaterialClasses) -> None:
    material = combinations(3, 8)
    assert len(material) == 144_158
    assert count(taiwan.canonical(material)) == 8_383


@pytest.mark.slow
def test_all_combinations_fall_into_the_published_classes(taiwan: MaterialClasses) -> None:
    material = combinations()
    assert len(material) == 8_497_176
    assert count(taiwan.canonical(material)) == 2_458_641


@pytest.mark.parametrize("name", ["taiwan", "hongkong", "mainland"])
def test_forms_are_equal_exactly_for_isomorphic_combinations(name: str) -> None:
    """All combinations of 2 to 6 pieces, against the least of all ways to write down who takes whom, piece by piece."""
    rules = Rules.parse(name)
    relation = np.array([[rules.takes(a, b) + 2 * rules.takes(b, a) for b in KINDS] for a in KINDS])
    material = combinations(2, 6)
    forms = MaterialClasses(rules).canonical(material)
    jumper = KINDS.index("C") if rules.cannon_jumps else len(KINDS)
    brute = np.minimum(_least_codes(relation, jumper, material), _least_codes(relation, jumper, material[:, ::-1]))
    classes = len(np.unique(brute))
    assert count(forms) == classes
    assert count(np.column_stack([forms, brute])) == classes


# The pairs are judged by hand from the table in section 3 of the rules.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("GP v M", "M v GP", id="sides_swap"),
        pytest.param("GP v M", "MP v N", id="one_stronger_and_one_weaker"),
        pytest.param("KP v M", "GP v M", id="without_enemy_soldiers_a_king_is_an_advisor"),
        pytest.param("K v PP", "GG v R", id="soldiers_take_a_king"),
        pytest.param("K v GMR", "N v PPP", id="prey_of_three_kinds_is_alike"),
        pytest.param("GC v P", "NC v P", id="cannon_with_a_hunter_of_soldiers"),
    ],
)
def test_one_class(taiwan: MaterialClasses, one: str, other: str) -> None:
    assert count(taiwan.canonical(_material(one, other))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("GP v M", "GPP v M", id="one_piece_more"),
        pytest.param("G v MM", "GG v M", id="one_hunter_or_two"),
        pytest.param("G v GM", "G v MM", id="equals_take_each_other"),
        pytest.param("KP v P", "GP v P", id="a_king_fears_soldiers"),
        pytest.param("G v CC", "G v MM", id="cannons_as_prey_still_jump"),
        pytest.param("C v PP", "P v CC", id="cannon_and_soldier_take_neither"),
    ],
)
def test_two_classes(taiwan: MaterialClasses, one: str, other: str) -> None:
    assert count(taiwan.canonical(_material(one, other))) == 2


@pytest.mark.parametrize("impossible", ["GP v ", " v GP", "KK v P", "K v PPPPPP"])
def test_impossible_material_is_refused(taiwan: MaterialClasses, impossible: str) -> None:
    with pytest.raises(ValueError, match="no piece or more of a kind than its set"):
        taiwan.canonical(_material(impossible))


def _material(*texts: str) -> Combinations:
    sides = [text.split(" v ") for text in texts]
    return np.array([[[side.count(kind) for kind in KINDS] for side in pair] for pair in sides], np.uint8)


def _least_codes(relation: npt.NDArray[np.int64], jumper: int, material: Combinations) -> npt.NDArray[np.int64]:
    """For each combination, sides in the given order: numbers of pieces, cannons and relation as one number, the least.

    relation: shape (7, 7), 0 to 3. At most 6 pieces, whose 15 digits of two bits stay below bit 40.
    """
    least = np.empty(len(material), np.int64)
    sizes = material.sum(axis=2)
    for a, b in np.unique(sizes, axis=0):
        here = (sizes == (a, b)).all(axis=1)
        kinds = np.broadcast_to(np.arange(len(KINDS)), material[here, 0].shape).ravel()
        one, other = (np.repeat(kinds, material[here, side].ravel()).reshape(-1, n) for side, n in enumerate((a, b)))
        codes = []
        for p, q in product(permutations(range(a)), permutations(range(b))):
            rows, columns = one[:, p], other[:, q]
            taking = relation[rows[:, :, None], columns[:, None, :]].reshape(len(rows), -1)
            digits = np.hstack([rows == jumper, columns == jumper, taking])
            codes.append(digits @ 4 ** np.arange(digits.shape[1]))
        least[here] = np.min(codes, axis=0) + (int(a) << 44) + (int(b) << 40)
    return least
