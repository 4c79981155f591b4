"""Deals: nobody sees them by accident, every layout is equally likely, and an opening proves what was dealt."""

import ast
import copy
import dataclasses
import hashlib
import hmac
import itertools
import json
import pickle
import random
import re
import string
import struct
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import banqi
from banqi import Deal, DealError, LimitError, Position, SquareError, opened_layout, opened_nonces
from banqi.rules import RULE_SETS
from conftest import PACKAGE
from sizes import tenth

NAMES = [rule_set.name for rule_set in RULE_SETS]
# Four different pieces are face down.
FOUR_HIDDEN = "x2x/4/4/1R1p/4/4/4/x2x r KCkc - 7"


def hidden_squares(fen, files):
    """The face-down squares of a position text, a1 first, by number."""
    rows = [re.sub("[0-9]", lambda digit: "." * int(digit[0]), row) for row in fen.split()[0].split("/")]
    return [
        row * files + column
        for row, line in enumerate(reversed(rows))
        for column in range(files)
        if line[column] == "x"
    ]


# ---- another implementation, written from the module's docstring --------------------------------------------------


def packed(*items):
    out = b""
    for item in items:
        raw = item if isinstance(item, bytes) else item.encode("utf-8")
        out += struct.pack(">I", len(raw)) + raw
    return out


def dealt(secret, rules, start, nonces, files=4):
    """The layout, and the commitment."""
    used, numbers = 0, b""

    def draw(m):
        nonlocal used, numbers
        while True:
            if used == len(numbers):
                block = packed("banqi deal layout", "1", rules, start, f"{used // 32}", *nonces)
                numbers += hmac.new(secret, block, hashlib.sha256).digest()
            used += 1
            if numbers[used - 1] < 256 - 256 % m:
                return numbers[used - 1] % m

    pool = start.split()[2]
    pieces = [] if pool == "-" else list(pool)
    for i in reversed(range(1, len(pieces))):
        j = draw(i + 1)
        pieces[i], pieces[j] = pieces[j], pieces[i]
    commitment = hashlib.sha256(packed("banqi deal commitment", "1", rules, start, secret)).hexdigest()
    return dict(zip(hidden_squares(start, files), pieces, strict=True)), commitment


def opened(opening, rules, start, files=4):
    """The same as `dealt`, out of an opening whose check is verified."""
    version, secret, *nonces, check = opening.split(".")
    assert version == "1"
    raw = [bytes.fromhex(nonce) for nonce in nonces]
    layout, commitment = dealt(bytes.fromhex(secret), rules, start, [nonce.decode() for nonce in raw], files)
    digest = hashlib.sha256(packed("banqi deal opening", "1", commitment, bytes.fromhex(secret), *raw))
    assert digest.hexdigest()[:16] == check
    return layout, commitment


def whole(deal):
    """Every square of a deal."""
    files = deal.rules.geometry.files
    return {square: deal.reveal(square) for square in hidden_squares(deal.fen, files)}


@pytest.mark.parametrize("rules", [*NAMES, "taiwan(quiet_limit=60, repetition=cycle)"])
def test_an_independent_implementation_deals_the_same(rules):
    start = Position(rules).fen()
    files = Position(rules).rules.geometry.files
    canonical = str(Position(rules).rules)
    for seed in range(tenth(1000)):
        deal = Deal(rules, seed=seed)
        nonces = ["a", "a b", "Läufer 兵"][: seed % 4]
        for nonce in nonces:
            deal.add_nonce(nonce)
        secret = hashlib.sha256(packed("banqi deal seed", "1", f"{seed}")).digest()
        expected = dealt(secret, canonical, start, nonces, files)
        assert (whole(deal), deal.commitment()) == expected
        assert opened(deal.opening(), canonical, start, files) == expected
        assert opened_layout(rules, deal.opening(), deal.commitment(), nonces=nonces) == expected[0]


@pytest.mark.parametrize(
    "fen",
    [
        FOUR_HIDDEN,
        "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/Kxxx b GGMMRRNNCCPPPPPkggmmrrnnccppppp - 0",
        "3k/4/4/4/4/4/4/K2x r p - 3",
        "3k/4/4/4/4/4/4/K3 r - - 3",
    ],
)
def test_an_independent_implementation_deals_the_same_over_a_position(fen):
    for seed in range(tenth(300)):
        deal = Deal("taiwan", seed=seed, fen=fen)
        secret = hashlib.sha256(packed("banqi deal seed", "1", f"{seed}")).digest()
        assert (whole(deal), deal.commitment()) == dealt(secret, "taiwan", fen, [])
        assert sorted(whole(deal).values()) == sorted(fen.split()[2].replace("-", ""))
        assert opened_layout("taiwan", deal.opening(), deal.commitment(), fen=fen) == whole(deal)


def test_a_position_text_in_another_spelling_is_the_same_start():
    short = FOUR_HIDDEN.replace("KCkc - 7", "ckCK - 7")
    assert Deal(seed=1, fen=short).commitment() == Deal(seed=1, fen=FOUR_HIDDEN).commitment()
    assert Deal(seed=1, fen=short).fen == FOUR_HIDDEN
    assert Deal(seed=1, fen=Position().fen()).commitment() == Deal(seed=1).commitment()


# ---- every layout is equally likely --------------------------------------------------------------------------------

SURE = 3.0902
"""The normal distribution's quantile for 0.999."""


def quantile(freedom, z):
    """The chi-squared quantile that belongs to the normal one, by Wilson and Hilferty's cube; within 0.3 % here."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * part**0.5) ** 3


def test_the_quantiles_are_those_of_tables():
    # Printed tables, 0.999: 23 degrees of freedom 49.728, 100 degrees 149.449.
    assert quantile(23, SURE) == pytest.approx(49.728, rel=3e-3)
    assert quantile(100, SURE) == pytest.approx(149.449, rel=3e-3)


def assert_uniform(statistic, freedom):
    """Neither too far from the expectation nor too near: either is one chance in a thousand."""
    assert quantile(freedom, -SURE) < statistic < quantile(freedom, SURE)


def squares_and_identities(layouts, pool):
    """Chi-squared over what lies where, and its degrees of freedom.

    A layout is a permutation, so cells depend on each other: the covariance of the n x k counts is n / (n - 1) times
    that of independent rows and columns, with (n - 1)(k - 1) degrees of freedom. The factor is taken out.
    """
    layouts = list(layouts)
    n, kinds = len(pool), sorted(set(pool))
    counts = Counter((square, letter) for layout in layouts for square, letter in enumerate(layout))
    statistic = 0.0
    for letter in kinds:
        expected = len(layouts) * pool.count(letter) / n
        statistic += sum((counts[square, letter] - expected) ** 2 / expected for square in range(n))
    return statistic * (n - 1) / n, (n - 1) * (len(kinds) - 1)


@pytest.mark.parametrize(("rules", "single"), [("taiwan", "K"), ("junqi", "F")])
def test_every_identity_is_equally_likely_everywhere(rules, single):
    pool = Position(rules).fen().split()[2]
    layouts = ["".join(whole(Deal(rules, seed=seed)).values()) for seed in range(tenth(100_000))]
    assert_uniform(*squares_and_identities(layouts, pool))
    # The two generals, or flags, together: each ordered pair of squares.
    pairs = Counter((layout.index(single), layout.index(single.lower())) for layout in layouts)
    every = list(permutations(range(len(pool)), 2))
    expected = len(layouts) / len(every)
    assert_uniform(sum((pairs[pair] - expected) ** 2 / expected for pair in every), len(every) - 1)


def test_the_statistic_finds_a_biased_shuffle():
    rng = random.Random(1)
    pool = Position().fen().split()[2]

    def shuffled():
        pieces = list(pool)
        for i in range(32):
            j = rng.randrange(32)  # not from i on, as it should be
            pieces[i], pieces[j] = pieces[j], pieces[i]
        return "".join(pieces)

    statistic, freedom = squares_and_identities((shuffled() for _ in range(tenth(100_000))), pool)
    assert statistic > quantile(freedom, SURE)


@pytest.mark.parametrize("source", ["secret", "nonce"])
def test_every_layout_of_four_pieces_is_equally_likely(source):
    deals = tenth(100_000)
    counts = Counter()
    for number in range(deals):
        deal = Deal(seed=number if source == "secret" else 1, fen=FOUR_HIDDEN)
        if source == "nonce":
            deal.add_nonce(f"{number}")
        counts["".join(whole(deal).values())] += 1
    seen = [counts["".join(layout)] for layout in permutations("KCkc")]
    assert sum(seen) == deals
    assert_uniform(sum((count - deals / 24) ** 2 / (deals / 24) for count in seen), 23)


# ---- nobody sees it by accident ------------------------------------------------------------------------------------


def reachable(thing):
    """Everything that a dump of attributes, items and elements comes upon, however deep."""
    found, waiting = {}, [thing]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, type):
            continue
        found[id(thing)] = thing
        if isinstance(thing, str | bytes | int | float | None):
            continue
        waiting += getattr(thing, "__dict__", {}).values()
        for kind in type(thing).__mro__:
            waiting += [getattr(thing, slot) for slot in getattr(kind, "__slots__", ()) if hasattr(thing, slot)]
        if isinstance(thing, dict | list | tuple | set | frozenset):
            waiting += [*thing, *(thing.values() if isinstance(thing, dict) else ())]
    return list(found.values())


def telltales(thing, secret, layout):
    """What a dump of a thing shows of a secret or a layout."""
    letters = "".join(layout.values())
    texts = (secret.hex(), repr(secret), repr(list(secret)), str(int.from_bytes(secret, "big")), letters)
    told = []
    for part in reachable(thing):
        values = (secret, bytearray(secret), layout, list(layout.values()), letters, tuple(layout.values()))
        told += [part for value in values if type(part) is type(value) and part == value]
        told += [shown for shown in (repr(part), str(part), f"{part}") for text in texts if text in shown]
    return told


def test_no_dump_shows_the_layout_or_the_secret():
    deal = Deal()
    layout, secret = whole(deal), deal.secret()
    assert len(secret) == 32
    assert telltales(deal, secret, layout) == []
    assert repr(deal) == str(deal) == f"{deal}" == f"<Deal of taiwan, commitment {deal.commitment()}>"


@pytest.mark.parametrize("kept", ["secret", "layout", "letters"])
def test_the_dump_would_find_it(kept):
    class Careless:
        __slots__ = ("hold",)

    deal = Deal(seed=1)
    layout = whole(deal)
    careless = Careless()
    careless.hold = [{"a": {"secret": deal.secret(), "layout": layout, "letters": "".join(layout.values())}[kept]}]
    assert telltales(careless, deal.secret(), layout) != []


@pytest.mark.parametrize("revealed", [False, True])
@pytest.mark.parametrize(
    "spread",
    [
        copy.copy,
        copy.deepcopy,
        lambda deal: copy.deepcopy([deal]),
        *(
            lambda deal, protocol=protocol: pickle.dumps(deal, protocol)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ),
        lambda deal: deal.__reduce__(),
        lambda deal: deal.__reduce_ex__(4),
        lambda deal: deal.__getstate__(),
    ],
)
def test_a_deal_does_not_spread(spread, revealed):
    deal = Deal()
    if revealed:
        deal.reveal(0)
    with pytest.raises(DealError, match="neither copied nor pickled"):
        spread(deal)


@pytest.mark.parametrize("look", [vars, iter, len, list, dict, dataclasses.asdict, json.dumps, bytes, lambda d: 0 in d])
def test_a_deal_is_no_container(look):
    with pytest.raises(TypeError):
        look(Deal())


def test_reveals_show_in_nothing_public():
    one, other = Deal(seed=1), Deal(seed=1)
    before = (repr(one), one.commitment(), one.fen, one.nonces, one.rules)
    whole(one)
    assert before == (repr(one), one.commitment(), one.fen, one.nonces, one.rules)
    assert before == (repr(other), other.commitment(), other.fen, other.nonces, other.rules)


GUARDED = {"secret", "from_secret"}


def readers_of_secrets(text):
    """Lines that reach for the audited pair, or past it for what a deal keeps."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in GUARDED | {"_secret"}:
            lines.append(node.lineno)
        if isinstance(node, ast.Constant) and node.value in GUARDED:
            lines.append(node.lineno)
        if isinstance(node, ast.ImportFrom) and node.module == "banqi.deal":
            lines += [node.lineno for name in node.names if name.name.startswith("_")]
    return lines


@pytest.mark.parametrize(
    "text",
    [
        "d.secret()",
        "f = d.secret",
        "Deal.from_secret(b)",
        "getattr(d, 'secret')",
        "d._secret()",
        "from banqi.deal import _layout",
    ],
)
def test_a_reader_of_secrets_is_found(text):
    assert readers_of_secrets(text) == [1]


def test_only_what_keeps_games_reads_the_secret():
    modules = [path for path in PACKAGE.rglob("*.py") if path.name != "deal.py"]
    assert len(modules) > 10
    readers = {path for path in modules if readers_of_secrets(path.read_text("utf-8"))}
    # A server stores it with a new game, and restores the deal from it; so does a game at the terminal, in a file of
    # its own.
    keeping = {PACKAGE / "server" / name for name in ("lobby.py", "room.py", "store.py")}
    assert readers == keeping | {PACKAGE / "play" / "keeping.py"}
    for path in [*PACKAGE.rglob("*.px[dix]"), *PACKAGE.rglob("*.pyx")]:
        assert "secret" not in path.read_text("utf-8"), path
    # The definitions themselves: in deal.py only its own attribute is read, and the pair is not called.
    tree = ast.parse((PACKAGE / "deal.py").read_text("utf-8"))
    assert [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in GUARDED] == []


# ---- where the secret comes from -----------------------------------------------------------------------------------


def test_without_a_seed_the_secret_is_the_systems(monkeypatch):
    asked = []
    monkeypatch.setattr("secrets.token_bytes", lambda size: asked.append(size) or bytes(range(size)))
    assert Deal().secret() == bytes(range(32))
    assert asked == [32]


def test_without_a_seed_no_two_deals_are_alike():
    assert len({Deal().commitment() for _ in range(100)}) == 100


def test_a_seed_repeats_a_deal():
    assert whole(Deal(seed=7)) == whole(Deal(seed=7))
    assert Deal(seed=7).commitment() == Deal(seed=np.uint8(7)).commitment()
    assert len({tuple(whole(Deal(seed=seed)).values()) for seed in [*range(100), 2**64 - 1]}) == 101
    assert Deal("hongkong", seed=7).commitment() != Deal("taiwan", seed=7).commitment()


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.0, "1", b"1"])
def test_senseless_seeds_are_refused(seed):
    with pytest.raises(LimitError):
        Deal(seed=seed)


# ---- revealing -----------------------------------------------------------------------------------------------------


def test_a_square_shows_the_same_again():
    deal = Deal()
    first = whole(deal)
    assert whole(deal) == first
    assert deal.reveal(np.int8(5)) == first[5]


@pytest.mark.parametrize("square", [-1, 32, True, 1.0, "a1", None])
def test_squares_that_do_not_exist_are_refused(square):
    with pytest.raises(SquareError):
        Deal().reveal(square)


@pytest.mark.parametrize("square", [17, 1])
def test_squares_that_are_not_face_down_are_refused(square):
    # b5 holds the chariot, b1 nothing.
    with pytest.raises(DealError, match=r"nothing lies face down on b[15] at the start"):
        Deal(fen=FOUR_HIDDEN).reveal(square)


@pytest.mark.parametrize(
    ("arguments", "error"), [({"rules": "chess"}, banqi.RulesError), ({"fen": "x"}, banqi.FenError)]
)
def test_senseless_rules_and_positions_are_refused(arguments, error):
    with pytest.raises(error):
        Deal(**arguments)
    with pytest.raises(error):
        Deal.from_secret(bytes(32), **arguments)
    with pytest.raises(error):
        opened_layout(**{"rules": "taiwan", "opening": "", "commitment": ""} | arguments)


# ---- nonces --------------------------------------------------------------------------------------------------------


def layout_with(*nonces):
    deal = Deal(seed=1)
    for nonce in nonces:
        deal.add_nonce(nonce)
    assert deal.nonces == nonces
    return tuple(whole(deal).values())


def test_every_nonce_and_its_place_count_and_the_commitment_stands_before():
    given = [(), ("a",), ("b",), ("a", "b"), ("b", "a"), ("ab",), ("a", "b", "c"), ("a", "bc"), ("ab", "c"), ("abc",)]
    assert len({layout_with(*nonces) for nonces in given}) == len(given)
    deal = Deal(seed=1)
    before = deal.commitment()
    deal.add_nonce("a")
    assert deal.commitment() == before


@pytest.mark.parametrize("act", [lambda deal: deal.reveal(3), lambda deal: deal.opening()])
def test_a_nonce_comes_before_anything_is_revealed(act):
    deal = Deal()
    deal.add_nonce("early")
    act(deal)
    with pytest.raises(DealError, match="before anything is revealed"):
        deal.add_nonce("late")
    assert deal.nonces == ("early",)


@pytest.mark.parametrize("nonce", ["", "a" * 65, "ü" * 33, "a\n", "\0", "\ud800", b"a", 1, None])
def test_senseless_nonces_are_refused(nonce):
    deal = Deal()
    with pytest.raises(DealError, match="printable text"):
        deal.add_nonce(nonce)
    assert deal.nonces == ()


def test_a_deal_takes_sixteen_nonces_of_sixty_four_bytes():
    deal = Deal()
    for _ in range(16):
        deal.add_nonce("ü" * 32)
    with pytest.raises(DealError, match="at most 16"):
        deal.add_nonce("a")
    assert opened_layout("taiwan", deal.opening(), deal.commitment()) == whole(deal)


# ---- keeping -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", [None, FOUR_HIDDEN])
@pytest.mark.parametrize("nonces", [(), ("a",), ("a", "b")])
def test_a_store_can_keep_a_deal(nonces, fen):
    deal = Deal("hongkong", fen=fen)
    for nonce in nonces:
        deal.add_nonce(nonce)
    deal.reveal(0)
    kept = Deal.from_secret(deal.secret(), "hongkong", fen=fen, nonces=list(nonces))
    assert (kept.commitment(), kept.nonces, kept.rules, kept.fen) == (deal.commitment(), nonces, deal.rules, deal.fen)
    assert whole(kept) == whole(deal)
    assert kept.opening() == deal.opening()
    assert kept.secret() == deal.secret()
    with pytest.raises(DealError, match="restored"):
        Deal.from_secret(deal.secret()).add_nonce("late")


@pytest.mark.parametrize("nonces", ["abc", "", b"abc", 5, None, {"a", "b"}, {"a": "b"}, [5], ["a", None]])
def test_what_is_no_list_of_nonces_is_refused(nonces):
    deal = Deal()
    deal.add_nonce("a")
    with pytest.raises(DealError, match=r"nonces are texts in their order|printable text"):
        Deal.from_secret(deal.secret(), nonces=nonces)
    if nonces is not None:
        with pytest.raises(DealError, match=r"nonces are texts in their order|printable text"):
            opened_layout("taiwan", deal.opening(), deal.commitment(), nonces=nonces)
    with pytest.raises(DealError, match="other nonces"):
        opened_layout("taiwan", deal.opening(), deal.commitment(), nonces=itertools.repeat("a"))
    with pytest.raises(DealError, match="at most 16"):
        Deal.from_secret(deal.secret(), nonces=itertools.repeat("a"))


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 32, bytearray(32), None])
def test_secrets_of_another_length_are_refused_and_not_shown(secret):
    with pytest.raises(DealError) as caught:
        Deal.from_secret(secret)
    assert str(caught.value) == "a secret is 32 bytes"


# ---- openings ------------------------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 2**64 - 1),
    nonces=st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=16), max_size=4),
    rules=st.sampled_from(NAMES),
)
def test_an_opening_proves_the_layout(seed, nonces, rules):
    deal = Deal(rules, seed=seed)
    for nonce in nonces:
        deal.add_nonce(nonce)
    opening = deal.opening()
    assert opening.isascii()
    assert opening.isprintable()
    assert not set(opening) & set(string.whitespace + "'\"`{}[];")
    assert opened_layout(rules, opening, deal.commitment()) == whole(deal)
    assert opened_nonces(opening) == tuple(nonces)


def refused(opening, commitment, rules="taiwan"):
    try:
        opened_layout(rules, opening, commitment)
    except DealError:
        return True
    return False


@pytest.mark.parametrize("nonces", [(), ("a",), ("first seat", "zweiter Ü 兵")])
def test_a_changed_byte_of_an_opening_is_always_found(nonces):
    deal = Deal(seed=11)
    for nonce in nonces:
        deal.add_nonce(nonce)
    opening, commitment = deal.opening(), deal.commitment()
    assert not refused(opening, commitment)
    for place, byte in enumerate(opening):
        for other in string.printable + "é０":
            if other != byte:
                assert refused(opening[:place] + other + opening[place + 1 :], commitment), (place, other)
            assert refused(opening[:place] + other + opening[place:], commitment), (place, other)
        assert refused(opening[:place] + opening[place + 1 :], commitment), place
        assert refused(opening[:place], commitment), place
    assert refused(opening + "0", commitment)
    assert refused(opening + "\n", commitment)


@given(data=st.data())
def test_several_changes_of_an_opening_are_found(data):
    deal = Deal(seed=12)
    deal.add_nonce("one")
    deal.add_nonce("two")
    opening = deal.opening()
    letters = list(opening)
    for place in data.draw(st.lists(st.integers(0, len(opening) - 1), min_size=1, max_size=8)):
        letters[place] = data.draw(st.sampled_from("0123456789abcdef."))
    changed = "".join(letters)
    assert refused(changed, deal.commitment()) == (changed != opening)


def test_a_changed_byte_of_a_commitment_is_found():
    deal = Deal()
    opening, commitment = deal.opening(), deal.commitment()
    for place, byte in enumerate(commitment):
        for other in string.hexdigits:
            if other != byte:
                assert refused(opening, commitment[:place] + other + commitment[place + 1 :])


@pytest.mark.parametrize("commitment", ["", "0" * 63, "0" * 65, "A" * 64, None, 1, b"0" * 64])
def test_senseless_commitments_are_refused(commitment):
    with pytest.raises(DealError, match="64 lower-case hex digits"):
        opened_layout("taiwan", Deal().opening(), commitment)


@pytest.mark.parametrize("opening", ["", "1", "1..", "x" * 1_000_000, "1." + "00" * 1_000_000, None, 1, b"1"])
def test_senseless_openings_are_refused(opening):
    with pytest.raises(DealError, match="an opening is written"):
        opened_layout("taiwan", opening, "0" * 64)
    with pytest.raises(DealError, match="an opening is written"):
        opened_nonces(opening)


def test_an_opening_belongs_to_its_rules_and_its_start():
    deal = Deal("taiwan")
    assert refused(deal.opening(), deal.commitment(), "hongkong")
    assert refused(deal.opening(), deal.commitment(), "taiwan(quiet_limit=60)")
    assert not refused(deal.opening(), deal.commitment(), "taiwan(quiet_limit=180)")
    with pytest.raises(DealError, match="does not belong"):
        opened_layout("taiwan", deal.opening(), deal.commitment(), fen=FOUR_HIDDEN)
    with pytest.raises(DealError, match="does not belong"):
        opened_layout("taiwan", Deal().opening(), deal.commitment())


def test_a_forged_nonce_is_found_by_who_gave_it():
    deal = Deal(seed=3)
    deal.add_nonce("mine")
    forged = Deal(seed=3)
    forged.add_nonce("forged")
    assert forged.commitment() == deal.commitment()
    layout = opened_layout("taiwan", forged.opening(), deal.commitment())
    assert layout != whole(deal)
    assert opened_nonces(forged.opening()) == ("forged",)
    with pytest.raises(DealError, match="other nonces"):
        opened_layout("taiwan", forged.opening(), deal.commitment(), nonces=["mine"])


@pytest.mark.parametrize("nonce", ["ff", "00", "61" * 65, "0a"])
def test_an_opening_whose_nonce_is_no_nonce_is_refused(nonce):
    # Made as the docstring says, so that nothing else is wrong with it.
    secret = bytes(32)
    _, commitment = dealt(secret, "taiwan", Position().fen(), [])
    raw = bytes.fromhex(nonce)
    check = hashlib.sha256(packed("banqi deal opening", "1", commitment, secret, raw)).hexdigest()[:16]
    with pytest.raises(DealError, match="nonce"):
        opened_layout("taiwan", f"1.{secret.hex()}.{nonce}.{check}", commitment)
