"""What is the same in any learned evaluation, computed plainly: what is alive, and from a score to a value."""

import math
from collections import Counter

UNIT = 1 << 22
ESTIMATE = UNIT - UNIT // 32


def alive_of(position, order):
    """Own and enemy pieces that are not captured, as (code, which of its kind) each; order: red's letters by code."""
    count = Counter(letter for letter in position.board.values() if letter != "x")
    count.update(position.pool)
    sides = (order, order.lower()) if position.side == "r" else (order.lower(), order)
    return [[(code, n) for code, letter in enumerate(side) for n in range(count[letter])] for side in sides]


def plain_material(position, order, arrays):
    """What is alive counts, pair by pair."""
    own, enemies = alive_of(position, order)
    total = 0
    for men, sign in ((own, 1), (enemies, -1)):
        total += sign * sum(int(arrays.alone[man]) for man in men)
        total += sign * sum(int(arrays.own[a + b]) for a in men for b in men if a != b)
    return total + sum(int(arrays.enemy[a + b]) - int(arrays.enemy[b + a]) for a in own for b in enemies)


def divided(number, by):
    """The fraction without what is behind the point."""
    return abs(number) // by * (1 if number >= 0 else -1)


def expected(score):
    """The value of a score."""
    score = max(-1023, min(1023, score))
    return round(ESTIMATE * score / math.sqrt(score * score + 240 * 240))
