"""The page's check of a deal, against Deal itself and against dealers who cheat."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from banqi import Deal, Game
from banqi.deal import opened_layout
from banqi.errors import DealError
from banqi.rules import RULE_SETS, Rules
from page_process import PageRules, page_rules
from sizes import tenth

RULES = (
    *(rule_set.name for rule_set in RULE_SETS),
    "taiwan(quiet_limit=60, repetition=cycle)",
    "double(ranking=hongkong, dark_capture)",
)
NONCES = ((), ("a",), ("first", "zweite \u00e4\u5c07\U0001f600"), ("x" * 64, "'\"\\", " ", "\u65d7" * 21))
NOWHERE: dict[str, Any] = {"layout": None, "reveals": 0, "differs": None, "nonces_agree": None, "holds": False}


@pytest.fixture(scope="module")
def page() -> Iterator[PageRules]:
    with page_rules() as process:
        yield process


def dealt(rules: str, seed: int, nonces: tuple[str, ...], fen: str | None = None) -> Deal:
    deal = Deal(rules, seed=seed, fen=fen)
    for nonce in nonces:
        deal.add_nonce(nonce)
    return deal


def layout(deal: Deal) -> dict[str, str]:
    """The layout by the names of squares."""
    opened = opened_layout(deal.rules, deal.opening(), deal.commitment(), fen=deal.fen)
    return {deal.rules.geometry.name(square): letter for square, letter in opened.items()}


def played(deal: Deal, rng: Random, plies: int) -> list[str]:
    """The moves of a random game, with their reveals."""
    game = Game(deal=deal)
    while game.outcome() is None and len(game.position.move_stack) < plies:
        game.play(rng.choice(list(game.position.legal_moves)))
    return [move.wire() for move in game.position.move_stack]


def published(deal: Deal, **more: object) -> dict[str, Any]:
    return {"rules": str(deal.rules), "commitment": deal.commitment(), "opening": deal.opening(), **more}


@pytest.mark.parametrize("rules", RULES)
def test_true_deals_hold(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    for seed in range(tenth(100)):
        nonces = rng.choice(NONCES)
        deal = dealt(rules, seed, nonces)
        moves = played(deal, rng, 80)
        verdict = page.ask("deal", published(deal, moves=moves, nonces=rng.choice([list(nonces), None])))
        assert verdict["holds"], verdict
        assert verdict["committed"]
        assert verdict["fault"] is None
        assert verdict["layout"] == layout(deal)
        assert verdict["nonces"] == list(nonces)
        assert verdict["reveals"] == sum(move[-1].isalpha() for move in moves)


def test_a_deal_of_a_position_that_was_set_up(page: PageRules) -> None:
    fen = "xxMm/PKxx/xxxx/xxxP/xxxx/xxxx/xxxx/pxMN r GGRRNCCPPPkggmrrnnccpppp - 0"
    deal = dealt("dark-capture", 5, ("a", "b"), fen)
    moves = played(deal, Random(5), 30)
    verdict = page.ask("deal", published(deal, moves=moves, fen=fen))
    assert verdict["holds"]
    assert verdict["layout"] == layout(deal)
    assert not page.ask("deal", published(deal, moves=[]))["committed"]


def test_the_first_reveal_that_differs_is_named(page: PageRules) -> None:
    deal = dealt("taiwan", 1, ("a",))
    lies = layout(deal)
    true = [f"{square}{square}{lies[square]}" for square in ("a1", "b1", "c1")]
    lie = next(letter for letter in "KGP" if letter != lies["b1"])
    verdict = page.ask("deal", published(deal, moves=[true[0], f"b1({lie})", true[2]]))
    assert not verdict["holds"]
    assert verdict["committed"]
    assert verdict["differs"] == {"square": "b1", "shown": lie, "lay": lies["b1"], "move": 1}
    assert verdict["reveals"] == 1


def test_other_nonces_are_found(page: PageRules) -> None:
    deal = dealt("junqi", 2, ("mine", "yours"))
    for given, agree in (
        (["mine", "yours"], True),
        (["yours", "mine"], False),
        (["mine"], False),
        (["mine", "yours", "x"], False),
        (["mine", "your"], False),
        ([], False),
    ):
        verdict = page.ask("deal", published(deal, nonces=given))
        assert (verdict["nonces_agree"], verdict["holds"]) == (agree, agree)
        assert verdict["layout"] == layout(deal)


def test_forged_openings_are_refused_as_the_package_refuses_them(page: PageRules) -> None:
    deal, other = dealt("taiwan", 3, ("a", "b")), dealt("taiwan", 4, ("a", "b"))
    opening = deal.opening()
    secret, check = opening.split(".")[1], opening.split(".")[-1]
    forged = [
        other.opening(),
        f"1.{secret}.{b'a'.hex()}.{b'c'.hex()}.{check}",
        f"1.{secret}.{b'b'.hex()}.{b'a'.hex()}.{check}",
        f"1.{secret}.{b'a'.hex()}.{check}",
        f"1.{secret}.ff.{check}",
        f"1.{secret}.0a.{check}",
        f"1.{secret}.c2a0.{check}",
        f"1.{secret}.efbbbf61.{check}",
        f"1.{secret}.{'61' * 65}.{check}",
        f"1.{secret}{'.61' * 17}.{check}",
        opening.upper(),
        f"2{opening[1:]}",
        opening + "\n",
        opening[:-1],
        "",
    ]
    for text in forged:
        with pytest.raises(DealError):
            opened_layout("taiwan", text, deal.commitment())
        verdict = page.ask("deal", published(deal, opening=text, moves=["a1a1K"]))
        assert verdict["fault"], text
        assert {name: verdict[name] for name in NOWHERE} == NOWHERE


@pytest.mark.parametrize(
    "change",
    [
        {"rules": "hongkong"},
        {"rules": "taiwan(quiet_limit=60)"},
        {"commitment": "0" * 64},
        {"commitment": "0" * 63},
        {"commitment": None},
        {"opening": None},
    ],
)
def test_what_does_not_belong_together_is_found(page: PageRules, change: dict[str, Any]) -> None:
    deal = dealt("taiwan", 6, ("a",))
    verdict = page.ask("deal", {**published(deal), **change})
    assert verdict["fault"]
    assert not verdict["committed"]
    assert {name: verdict[name] for name in NOWHERE} == NOWHERE


@pytest.mark.parametrize("change", [{"rules": "chess"}, {"fen": "x"}, {"moves": ["a1a2"]}])
def test_what_is_no_game_is_refused(page: PageRules, change: dict[str, Any]) -> None:
    assert "error" in page.ask("deal", {**published(dealt("taiwan", 6, ())), **change})


def test_a_page_that_may_not_compute_says_so(page: PageRules) -> None:
    assert "https" in page.ask("insecure", published(dealt("taiwan", 7, ())))["error"]


def test_printable_means_the_same(page: PageRules) -> None:
    """Characters of every category, as nonces of openings whose check is right."""
    marks, blanks = "a\u0301\u00e4\u5c07\U0001f9ff \u200b\u202e\ufeff\u00ad\U000e0001", "\u00a0\u2003\u2028\u2029\u3000"
    for character in marks + blanks + "\ue000\u0378\x7f\x9f":
        deal = Deal(Rules.parse("taiwan"), seed=8)
        object.__setattr__(deal, "_nonces", (character,))
        opening = deal.opening()
        try:
            opened_layout("taiwan", opening, deal.commitment())
        except DealError:
            assert page.ask("deal", published(deal))["fault"], ascii(character)
        else:
            assert page.ask("deal", published(deal))["holds"], ascii(character)
