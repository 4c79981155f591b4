"""How games come about: a new one, a rematch, somebody who joins; tokens and names."""

import hmac
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from banqi.deal import Deal
from banqi.errors import ServerError
from banqi.position import Position
from banqi.rules import Rules
from banqi.server.ledger import SEATS, Ledger, other
from banqi.server.messages import AnyEvent, Created, MadeGame, NewGame, Seated, SeatNumber, encode
from banqi.server.store import Entry, Marks, Opened, Secrets

COMPUTER_NAME: Final = "banqi"
_TOKEN_BYTES: Final = 32
_ID_BYTES: Final = 12
_MOST_MARKS: Final = 2
# Unicode's Default_Ignorable_Code_Point among what counts as printable, and the blank of Braille. Selectors of a
# picture's style (U+FE0E, U+FE0F) are marks like others.
_INVISIBLE: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))


def digest(token: str) -> bytes:
    """Return what is stored of a token: it has 256 random bits, so a plain SHA-256 cannot be searched."""
    return sha256(token.encode()).digest()


def joiner_token(salt: bytes, seat: SeatNumber, key: str) -> str:
    """Return the token of somebody who joins with a key of his own: the same when his request comes again."""
    made = hmac.digest(salt, f"banqi seat token {seat} {key}".encode(), "sha256")
    return urlsafe_b64encode(made).decode().rstrip("=")


def checked_name(name: str) -> str:
    """Return a player's name as it is kept: one line of visible text, without blanks at its ends or piles of marks.

    Raises:
        ServerError: it is none.
    """
    name = unicodedata.normalize("NFC", name)
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > _MOST_MARKS or not character.isprintable() or character in _INVISIBLE:
            raise ServerError("a name is one line of printable text")
    if name and unicodedata.category(name[0]).startswith("M"):
        raise ServerError("a name begins with no mark")
    if unicodedata.normalize("NFKC", name).casefold() == COMPUTER_NAME:
        raise ServerError(f"{COMPUTER_NAME} is the computer's name")
    if not name or name != name.strip():
        raise ServerError("a name has no blanks at its ends")
    return name


def new_game(wanted: NewGame, now: int) -> tuple[Opened, Secrets, MadeGame]:
    """Deal a game, and return what the store keeps and what its maker is told.

    Raises:
        BanqiError: the rules, the position or the name make no sense, or the game would be over at once.
    """
    rules = Rules.of(wanted.rules)
    name = checked_name(wanted.name)
    start = Position(rules) if wanted.fen is None else Position.from_fen(wanted.fen, rules)
    if (outcome := start.outcome()) is not None:
        raise ServerError(f"the game would be over at once: {outcome}")
    if wanted.increment and wanted.clock is None:
        raise ServerError("an increment does not go without a clock")
    deal = Deal(rules, fen=start.fen())
    seat: SeatNumber = secrets.choice(SEATS) if wanted.seat == "random" else wanted.seat
    token, invitation = secrets.token_urlsafe(_TOKEN_BYTES), None
    events: list[AnyEvent] = [
        Created(
            time=now,
            rules=str(rules),
            fen=deal.fen,
            commitment=deal.commitment(),
            clock=wanted.clock,
            increment=wanted.increment,
            chances=wanted.chances,
        ),
        Seated(time=now, seat=seat, name=name, player="human"),
    ]
    if wanted.computer is not None:
        level = wanted.computer.level
        events.append(Seated(time=now, seat=other(seat), name=COMPUTER_NAME, player="computer", level=level))
    else:
        invitation = secrets.token_urlsafe(_TOKEN_BYTES)
    made = MadeGame(game=_new_id(), seat=seat, token=token, invitation=invitation, commitment=deal.commitment())
    kept = Secrets(
        deal.secret(),
        secrets.token_bytes(_TOKEN_BYTES),
        None if invitation is None else digest(invitation),
        (digest(token), None) if seat == 0 else (None, digest(token)),
    )
    return _opened(made.game, events), kept, made


def rematch(ledger: Ledger, game: str, now: int) -> tuple[Opened, Secrets]:
    """Deal the game that follows one: the same rules, start and clocks, the seats swapped."""
    before = ledger.created
    deal = Deal(before.rules, fen=before.fen)
    events: list[AnyEvent] = [
        Created(
            time=now,
            rules=before.rules,
            fen=before.fen,
            commitment=deal.commitment(),
            clock=before.clock,
            increment=before.increment,
            before=game,
            chances=before.chances,
        )
    ]
    for seat in SEATS:
        seated = ledger.seats[other(seat)]
        events.append(Seated(time=now, seat=seat, name=seated.name, player=seated.player, level=seated.level))
    return _opened(_new_id(), events), Secrets(deal.secret(), secrets.token_bytes(_TOKEN_BYTES), None, (None, None))


def _opened(game: str, events: Sequence[AnyEvent]) -> Opened:
    created = events[0]
    assert isinstance(created, Created)
    entries = tuple(Entry(encode(event)) for event in events)
    return Opened(game, created.rules, created.fen, entries, Marks(created.time))


def _new_id() -> str:
    return secrets.token_urlsafe(_ID_BYTES)
