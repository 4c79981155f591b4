"""Rule sets: how they are written, what they mean, what is refused. Who takes whom: test_captures.py."""

import pickle

import pytest

from banqi import Position, Rules, RulesError
from banqi.piece_set import KINDS
from banqi.rules import LARGEST_LIMIT, OPTIONS, RULE_SETS

# Rules page, sections 2 to 6: ranking, whether cannons jump, cannon_adjacent, dark_capture, chain, screens, board.
NAMED = {
    "taiwan": ("taiwan", True, False, False, "none", "any", "4x8"),
    "hongkong": ("hongkong", False, False, False, "none", "any", "4x8"),
    "mainland": ("mainland", False, False, False, "none", "any", "4x8"),
    "cannon-adjacent": ("taiwan", True, True, False, "none", "any", "4x8"),
    "dark-capture": ("taiwan", True, False, True, "none", "any", "4x8"),
    "children": ("taiwan", True, False, True, "any", "any", "4x8"),
    "cannon-chain": ("taiwan", True, False, False, "cannon", "faceup", "4x8"),
    "double": ("taiwan", True, False, False, "none", "any", "8x8"),
    "junqi": ("junqi", False, False, False, "none", "any", "5x12"),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_rule_set(name: str) -> None:
    rules = Rules.parse(name)
    assert NAMED[name] == (
        rules.ranking,
        rules.cannon_jumps,
        rules.cannon_adjacent,
        rules.dark_capture,
        rules.chain,
        rules.screens,
        rules.board,
    )
    # B7: the third occurrence and 180 plies; section 5: a draw; unless an option says otherwise. J8: 80 plies.
    limits = (None, 80, "draw") if name == "junqi" else (3, 180, "draw")
    assert (rules.repetition, rules.quiet_limit, rules.perpetual) == limits
    assert str(rules) == name


def test_rule_sets_lists_every_name_once() -> None:
    assert [rule_set.name for rule_set in RULE_SETS] == list(NAMED)


@pytest.mark.parametrize("name", [name for name in NAMED if name not in ("double", "junqi")])
def test_board_and_set(name: str) -> None:
    rules = Rules.parse(name)
    assert (rules.geometry.files, rules.geometry.ranks) == (4, 8)
    assert rules.letters == "KGMRNCPkgmrncp"
    assert rules.set_counts == {"K": 1, "G": 2, "M": 2, "R": 2, "N": 2, "C": 2, "P": 5}
    assert 2 * sum(rules.set_counts.values()) == 32


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("taiwan(quiet_limit=40)", "taiwan(quiet_limit=40)"),
        ("taiwan(quiet_limit=180)", "taiwan"),
        ("taiwan(repetition=3)", "taiwan"),
        ("taiwan(cannon=jump)", "taiwan"),
        ("hongkong(cannon=step)", "hongkong"),
        ("hongkong(cannon=jump)", "hongkong(cannon=jump)"),
        ("mainland(cannon=jump,cannon_adjacent)", "mainland(cannon=jump, cannon_adjacent)"),
        ("taiwan(cannon_adjacent)", "cannon-adjacent"),
        ("cannon-adjacent(cannon_adjacent)", "cannon-adjacent"),
        ("taiwan(quiet_limit=50, cannon_adjacent)", "cannon-adjacent(quiet_limit=50)"),
        ("taiwan(quiet_limit=1, repetition=cycle)", "taiwan(repetition=cycle, quiet_limit=1)"),
        ("taiwan(repetition=none)", "taiwan(repetition=none)"),
        ("taiwan(repetition=2)", "taiwan(repetition=2)"),
        ("taiwan(chain=none, screens=any, perpetual=draw)", "taiwan"),
        ("taiwan(dark_capture)", "dark-capture"),
        ("taiwan(chain=any, dark_capture)", "children"),
        ("dark-capture(chain=any)", "children"),
        ("children(chain=none)", "dark-capture"),
        ("taiwan(chain=cannon,screens=faceup)", "cannon-chain"),
        ("cannon-chain(screens=any)", "taiwan(chain=cannon)"),
        ("cannon-chain(chain=none)", "taiwan(screens=faceup)"),
        ("children(quiet_limit=40)", "children(quiet_limit=40)"),
        ("taiwan(perpetual=loses)", "taiwan(perpetual=loses)"),
        ("hongkong(dark_capture)", "hongkong(dark_capture)"),
        ("mainland(chain=any)", "mainland(chain=any)"),
        ("double(ranking=taiwan)", "double"),
        ("double(ranking=hongkong)", "double(ranking=hongkong)"),
        ("double(ranking=hongkong, cannon=step)", "double(ranking=hongkong)"),
        ("double(quiet_limit=40)", "double(quiet_limit=40)"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    rules = Rules.parse(text)
    assert str(rules) == canonical
    assert Rules.parse(canonical) == rules
    assert hash(Rules.parse(canonical)) == hash(rules)
    assert eval(repr(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_options_set_what_they_name() -> None:
    rules = Rules.parse("hongkong(cannon=jump, cannon_adjacent, repetition=cycle, quiet_limit=60)")
    assert rules == Rules(
        ranking="hongkong", cannon_jumps=True, cannon_adjacent=True, repetition="cycle", quiet_limit=60
    )
    rules = Rules.parse("taiwan(dark_capture, chain=cannon, screens=faceup, perpetual=loses)")
    assert (rules.dark_capture, rules.chain, rules.screens, rules.perpetual) == (True, "cannon", "faceup", "loses")
    assert Rules.parse("double(ranking=mainland)") == Rules(ranking="mainland", cannon_jumps=False, board="8x8")
    assert Rules.parse("taiwan(repetition=none)").repetition is None
    assert Rules.parse("taiwan(repetition=5)").repetition == 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # Section 4: refused with the reason.
        ("taiwan(cannon=step)", "no rank"),
        ("cannon-adjacent(cannon=step)", "no rank"),
        ("hongkong(cannon_adjacent)", "stepping cannon"),
        ("mainland(cannon_adjacent, cannon=step)", "stepping cannon"),
        ("taipei", "unknown rule set 'taipei'"),
        ("Taiwan", "unknown rule set"),
        (" taiwan", "unknown rule set"),
        ("taiwan ", "unknown rule set"),
        ("taiwan\n", "unknown rule set"),
        ("", "unknown rule set"),
        ("taiwan(castling)", "unknown option 'castling'"),
        ("taiwan()", "unknown option ''"),
        ("taiwan(quiet_limit=40,)", "unknown option ''"),
        ("taiwan( quiet_limit=40)", "unknown option ' quiet_limit'"),
        ("taiwan(quiet_limit=40,  repetition=3)", "unknown option ' repetition'"),
        ("taiwan(quiet_limit =40)", "unknown option 'quiet_limit '"),
        ("taiwan(Quiet_limit=40)", "unknown option"),
        ("hongkong(cannon=slide)", "jump or step, not 'slide'"),
        ("hongkong(cannon)", "not nothing"),
        ("hongkong(cannon=)", "not ''"),
        ("taiwan(cannon_adjacent=yes)", "takes no value"),
        ("taiwan(cannon_adjacent=)", "takes no value"),
        ("taiwan(quiet_limit)", "not nothing"),
        ("taiwan(quiet_limit=0)", "from 1 to"),
        ("taiwan(quiet_limit=-1)", "from 1 to"),
        ("taiwan(quiet_limit=none)", "from 1 to"),
        ("taiwan(quiet_limit=1.5)", "from 1 to"),
        ("taiwan(quiet_limit=040)", "from 1 to"),
        ("taiwan(quiet_limit=+40)", "from 1 to"),
        ("taiwan(quiet_limit=4_0)", "from 1 to"),
        ("taiwan(quiet_limit=٤٠)", "from 1 to"),
        (f"taiwan(quiet_limit={LARGEST_LIMIT + 1})", "from 1 to"),
        (f"taiwan(quiet_limit={'9' * 5000})", "from 1 to"),
        ("taiwan(repetition=1)", "from 2 to"),
        ("taiwan(repetition=0)", "from 2 to"),
        ("taiwan(repetition=-3)", "from 2 to"),
        ("taiwan(repetition=Cycle)", "from 2 to"),
        ("taiwan(quiet_limit=40, quiet_limit=40)", "twice"),
        ("hongkong(cannon=jump, cannon=step)", "twice"),
        ("taiwan(cannon_adjacent, cannon_adjacent)", "twice"),
        ("taiwan(dark_capture, dark_capture)", "twice"),
        ("taiwan(dark_capture=yes)", "takes no value"),
        ("taiwan(chain=some)", "takes none or any or cannon"),
        ("taiwan(chain)", "not nothing"),
        ("taiwan(screens=none)", "takes any or faceup"),
        ("taiwan(perpetual=wins)", "takes draw or loses"),
        ("taiwan(ranking=hongkong)", "ranking"),
        ("double(ranking=taipei)", "ranking"),
        ("double(ranking=hongkong, ranking=hongkong)", "twice"),
        ("double(cannon=step)", "no rank"),
        ("hongkong(screens=faceup)", "stepping cannon"),
        ("mainland(chain=cannon)", "stepping cannon"),
        ("taiwan(perpetual=loses, repetition=none)", "repetition=none"),
        ("junqi(dark_capture)", "does not go with junqi"),
        ("junqi(repetition=cycle)", "does not go with junqi"),
        ("Junqi", "unknown rule set"),
        ("taiwan(quiet_limit=40", "not written as"),
        ("taiwan)", "not written as"),
        ("taiwan(a)(b)", "not written as"),
        ("taiwan(a)b", "not written as"),
        ("taiwan((a))", "not written as"),
        ("taiwan(a=(b))", "not written as"),
    ],
)
def test_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert reason in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("value", [None, 5, b"taiwan", ["taiwan"]])
def test_rules_are_a_text(value: object) -> None:
    with pytest.raises(RulesError, match="a rule set is a text"):
        Rules.of(value)


@pytest.mark.parametrize(
    "fields",
    [
        {"ranking": "taipei"},
        {"cannon_jumps": False},
        {"repetition": 1},
        {"repetition": True},
        {"repetition": "cycles"},
        {"repetition": 3.0},
        {"quiet_limit": 0},
        {"quiet_limit": None},
        {"quiet_limit": True},
        {"quiet_limit": 10**5000},
        {"chain": "some"},
        {"chain": None},
        {"screens": "none"},
        {"perpetual": "wins"},
        {"perpetual": True},
        {"board": "9x9"},
        {"perpetual": "loses", "repetition": None},
        {"ranking": "hongkong", "cannon_jumps": False, "chain": "cannon"},
        {"ranking": "hongkong", "cannon_jumps": False, "screens": "faceup"},
        {"ranking": "hongkong", "cannon_jumps": False, "cannon_adjacent": True},
        {"ranking": "junqi"},
        {"board": "5x12"},
        {"board": "5x12", "ranking": "junqi"},
        {"board": "5x12", "ranking": "taiwan", "cannon_jumps": False},
        {"board": "5x12", "ranking": "junqi", "cannon_jumps": False, "dark_capture": True},
        {"board": "5x12", "ranking": "junqi", "cannon_jumps": False, "repetition": "cycle"},
        {"board": "5x12", "ranking": "junqi", "cannon_jumps": False, "perpetual": "loses"},
    ],
)
def test_fields_are_checked(fields: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        Rules(**({"ranking": "taiwan", "cannon_jumps": True} | fields))


def test_takes_wants_kinds() -> None:
    rules = Rules.parse("taiwan")
    assert rules.takes("P", "K")
    assert not rules.takes("K", "P")
    for letter in ("k", "x", "", "KG", "Q"):
        with pytest.raises(RulesError):
            rules.takes(letter, "K")
        with pytest.raises(RulesError):
            rules.takes("K", letter)


def test_captures_agree_with_takes_and_belong_to_the_caller() -> None:
    rules = Rules.parse("hongkong(cannon=jump)")
    assert rules.captures == {a: frozenset(t for t in KINDS if rules.takes(a, t)) for a in KINDS}
    rules.captures.clear()
    assert rules.captures


def test_attacks_of_junqi_remove_one_or_both() -> None:
    """J7, by hand: the marshal against all kinds, the bomb, and what never moves."""
    rules = Rules.parse("junqi")
    assert rules.captures["M"] == set("MGDBRTCPEOF")
    assert rules.losses["M"] == set("MOL")
    assert rules.captures["E"] == set("EOLF")
    assert rules.losses["E"] == set("MGDBRTCPEO")
    assert rules.captures["O"] == rules.losses["O"] == set("MGDBRTCPEOLF")
    assert rules.captures["L"] == rules.losses["F"] == set()
    assert rules.takes("P", "E")
    assert rules.survives("P", "E")
    assert not rules.survives("E", "E")
    with pytest.raises(RulesError, match="none of the kinds MGDBRTCPEOLF"):
        rules.takes("K", "M")
    assert not any(Rules.parse("taiwan").losses.values())


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Rules.parse("taiwan").quiet_limit = 40


def test_every_option_is_known_to_canonical_text() -> None:
    """A field of Rules that no option sets would be lost in writing."""
    assert {"ranking", "board"} | {option.target for option in OPTIONS if option.target} == set(Rules.__slots__)


def test_keys_tell_rule_sets_apart_and_follow_the_meaning() -> None:
    texts = ["hongkong(cannon=jump)", "taiwan(quiet_limit=40)", "taiwan(repetition=cycle)", "taiwan(perpetual=loses)"]
    texts += [*NAMED, "taiwan(chain=any)", "taiwan(chain=cannon)", "taiwan(screens=faceup)", "double(ranking=mainland)"]
    texts += ["junqi(repetition=3)", "junqi(quiet_limit=40)"]
    assert len({Position(text).key for text in texts}) == len(texts)
    assert Position("taiwan(cannon_adjacent, quiet_limit=180)").key == Position("cannon-adjacent").key


@pytest.mark.parametrize(
    "fields",
    [
        {"board": []}, {"board": {}}, {"board": None}, {"board": "9x9"}, {"ranking": []}, {"ranking": None},
        {"cannon_jumps": 1}, {"cannon_jumps": None}, {"dark_capture": 1}, {"chain": []}, {"chain": True},
        {"screens": {}}, {"perpetual": None}, {"repetition": []}, {"quiet_limit": "9"},
    ],
)  # fmt: skip
def test_fields_of_the_wrong_type_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        Rules(**({"ranking": "taiwan", "cannon_jumps": True} | fields))
