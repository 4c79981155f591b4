"""The page's texts: complete in every language, plain, with the same values in the same places of meaning."""

import re
from pathlib import Path
from typing import Any

import pytest

from banqi.notation import Fault
from banqi.outcome import Termination
from banqi.piece_set import PIECE_SETS
from banqi.rules import OPTIONS, RULE_SETS
from banqi.server.page import FOLDER
from banqi.server.tables import tables
from browser import PHONE, browser, opened, page_served
from page_words import page_words

PREFERENCES = [
    (["it-CH", "en"], "it"),
    (["fr"], "fr"),
    (["ru-RU"], "ru"),
    # Chinese goes by its script, which follows from the region where it is not told.
    (["zh"], "zh-Hans"),
    (["zh-CN"], "zh-Hans"),
    (["zh-SG"], "zh-Hans"),
    (["zh-TW"], "zh-Hant"),
    (["zh-HK"], "zh-Hant"),
    (["zh-Hant-CN"], "zh-Hant"),
    (["zh-Hans-HK"], "zh-Hans"),
    (["de", "pt-BR", "fr-CA", "en"], "fr"),
    (["de"], "en"),
    (["", "!", "x-klingon"], "en"),
    ([], "en"),
]
LIMIT = "end.draw.quiet_limit"
# Russian counts in three forms, French calls 0 singular, Chinese has one form.
SPOKEN = [
    ("en", LIMIT, {"count": 1}, "Draw: 1 quiet turn."),
    ("en", LIMIT, {"count": 180}, "Draw: 180 quiet turns."),
    ("ru", LIMIT, {"count": 1}, "Ничья: 1 тихий ход."),
    ("ru", LIMIT, {"count": 42}, "Ничья: 42 тихих хода."),
    ("ru", LIMIT, {"count": 180}, "Ничья: 180 тихих ходов."),
    ("fr", LIMIT, {"count": 60}, "Nulle : 60 coups sans retournement ni prise."),
    ("zh-Hans", LIMIT, {"count": 60}, "和棋：连续60步未翻子、未吃子。"),
    ("zh-Hant", "piece.banqi.b.N", {}, "黑馬"),
    ("it", "end.win.flag", {"winner": "<b>{loser}</b>"}, "Vince <b>{loser}</b>: la bandiera è presa."),
    # What nobody has a text for is seen at once.
    ("it", "no.such.key", {}, "no.such.key"),
    ("it", "constructor", {}, "constructor"),
    ("xx", "colour.red", {}, "Red"),
]
# Texts that may be as in English: names, signs, and words that two languages share.
SHARED = {"Banqi", "Junqi", "8 × 8", "Taiwan", "Hong Kong", "Computer", "Computer ({level})"}
SHARED |= {"Analyse", "Position", "Secret", "camp"}
CHINESE = ("zh-Hans", "zh-Hant")
VALUE = re.compile(r"\{(\w+)\}")
# Keys as elements ask for them, and as the page's text names them.
ASKED = re.compile(r"""(?:\bt\(|words\(|data-t(?:-\w+)?=)\s*"([a-z]+\.[A-Za-z0-9_.-]+)\"""")


@pytest.fixture(scope="module")
def words() -> Any:
    return page_words([wanted for wanted, _ in PREFERENCES], [spoken[:3] for spoken in SPOKEN])


@pytest.fixture(scope="module")
def english(words: Any) -> Any:
    return words["texts"]["en"]


def forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def test_six_languages_tell_their_own_names(words: Any) -> None:
    assert [language["code"] for language in words["languages"]] == ["en", "it", "fr", "ru", "zh-Hans", "zh-Hant"]
    assert len({language["name"] for language in words["languages"]}) == 6


def test_language_is_the_first_that_the_browser_prefers(words: Any) -> None:
    assert words["preferred"] == [code for _, code in PREFERENCES]


def test_texts_take_values_and_plural_forms(words: Any) -> None:
    assert [text for _, text in words["told"]] == [text for *_, text in SPOKEN]


@pytest.mark.parametrize("code", ["it", "fr", "ru", "zh-Hans", "zh-Hant"])
def test_language_is_complete(code: str, words: Any, english: Any) -> None:
    texts = words["texts"][code]
    missing, unknown = english.keys() - texts.keys(), texts.keys() - english.keys()
    assert (missing, unknown) == (set(), set())
    for key, text in texts.items():
        assert isinstance(text, str) is isinstance(english[key], str), key
        wanted = set(VALUE.findall(forms(english[key])[-1]))
        for form in forms(text):
            assert set(VALUE.findall(form)) == wanted, key
    same = {key for key in texts if texts[key] == english[key] and texts[key] not in SHARED}
    assert same == set()


def test_texts_are_plain_and_trimmed(words: Any) -> None:
    for code, texts in words["texts"].items():
        for key, text in texts.items():
            for form in forms(text):
                assert form == form.strip() != "", (code, key)
                assert not re.search(r"[<>&]|  |\n", form), (code, key)
                assert form.count("{") == form.count("}") == len(VALUE.findall(form)), (code, key)
                if code in CHINESE:
                    assert re.search("[\u4e00-\u9fff]", form) or form in SHARED, (code, key)
                    assert not re.search("[\u4e00-\u9fff][,;:!?]", form), (code, key)


def test_plural_texts_have_every_form_that_numbers_take(words: Any) -> None:
    # Unicode's plural rules for whole numbers below a million.
    needed = {"en": {"one"}, "it": {"one"}, "fr": {"one"}, "ru": {"one", "few", "many"}}
    for code, texts in words["texts"].items():
        for key, text in texts.items():
            if not isinstance(text, str):
                assert text.keys() == needed.get(code, set()) | {"other"}, (code, key)


def test_scripts_are_not_mixed(words: Any) -> None:
    # Signs of everyday words of the games that differ between the scripts.
    pairs = (
        "红紅",
        "马馬",
        "车車",
        "对對",
        "还還",
        "这這",
        "战戰",
        "开開",
        "胜勝",
        "动動",
        "两兩",
        "军軍",
        "师師",
        "认認",
    )
    for code, other in (("zh-Hans", 1), ("zh-Hant", 0)):
        wrong = "".join(pair[other] for pair in pairs)
        for key, text in words["texts"][code].items():
            assert not any(set(form) & set(wrong) for form in forms(text)), (code, key)


def test_everything_that_python_names_has_its_text(english: Any) -> None:
    needed = {f"rules.{rule_set.name}.{part}" for rule_set in RULE_SETS for part in ("name", "text")}
    needed |= {f"rules.{option.name}.{part}" for option in OPTIONS for part in ("name", "text")}
    needed |= {f"rules.{option.name}.{word}" for option in OPTIONS for word in option.words}
    needed |= {f"fault.{fault.name.lower()}" for fault in Fault}
    needed |= {f"fault.{'.'.join(name for name, _ in one['pair'])}" for one in tables()["refusals"]}
    drawn = {Termination.REPETITION, Termination.QUIET_LIMIT, Termination.AGREEMENT}
    needed |= {f"end.{'draw' if end in drawn else 'win'}.{end}" for end in Termination}
    for game, pieces in PIECE_SETS.items():
        needed |= {f"colour.{colour}" for colour in pieces.colours}
        needed |= {f"piece.{game}.{kind}" for kind in pieces.kinds}
        needed |= {f"piece.{game}.{side}.{kind}" for side in "rb" for kind in pieces.kinds}
    assert needed <= english.keys()


def test_everything_that_the_page_asks_for_has_its_text(english: Any) -> None:
    asked = {
        key: path.name
        for path in [*FOLDER.rglob("*.js"), *FOLDER.rglob("*.html")]
        for key in ASKED.findall(path.read_text(encoding="utf-8"))
    }
    assert {key: name for key, name in asked.items() if key not in english} == {}
    assert "tutorial.progress" in asked
    refused = re.findall(r'\["(game\.[a-z_]+)"\]', (FOLDER / "rules" / "local_game.js").read_text(encoding="utf-8"))
    assert {f"fault.{name}" for name in refused} <= english.keys()
    assert "game.over" in refused


@pytest.mark.slow
def test_page_speaks_what_the_browser_prefers_and_fits_on_a_phone(words: Any, tmp_path: Path) -> None:
    with page_served(tmp_path) as address, browser() as made:
        for language in words["languages"]:
            code = language["code"]
            locale = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}.get(code, code)
            with opened(made, address, **PHONE, locale=locale) as page:
                for view, key in (("/", "play.new"), ("/#analysis", "review.setup"), ("/#learn", "tutorial.next")):
                    page.goto(view)
                    page.get_by_text(words["texts"][code][key], exact=True).first.wait_for()
                    assert page.evaluate("document.documentElement.lang") == code
                    assert page.evaluate("document.documentElement.scrollWidth") <= 360, (code, view)


def test_faults_are_told_in_the_language_in_use(words: Any, tmp_path: Path) -> None:
    with page_served(tmp_path) as address, browser() as made, opened(made, address, locale="fr") as page:
        page.goto("/#analysis")
        texts = words["texts"]["fr"]
        field = page.get_by_label(texts["review.fen"], exact=True)
        field.fill("4/4/4/4/4/4/4/K2 r - - 0")
        field.press("Enter")
        page.get_by_text(texts["fault.rank_length"], exact=True).wait_for()
