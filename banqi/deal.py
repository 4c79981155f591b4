"""A deal: what the face-down pieces are, kept secret, and fixed before the game so that anybody can check it later.

The dealer publishes the commitment, the players add nonces, the game is played, the dealer publishes the opening.
The commitment binds him to his secret before he sees a nonce; a nonce keeps him from having chosen a layout, as long
as the player who adds it is not in league with him and nobody who knows the secret adds a later one. Everybody checks
that the opening holds the nonce that he gave, and the commitment that he was shown.

How a layout follows, exactly enough to be written again in another language:

- fields(a, b, ...) is a byte string: for each item in turn its length in bytes as 4 bytes, the most significant first,
  then the item itself. Texts are UTF-8. Numbers are decimal texts.
- rules is the rule set's canonical text, `str(Rules)`; start is the position text of the start, all five fields, with
  the pool in canonical order; secret is 32 bytes; nonce1, nonce2, ... are the nonces in the order they were added.
- commitment = SHA-256(fields("banqi deal commitment", "1", rules, start, secret)), as 64 lower-case hex digits.
- block(n) = HMAC-SHA-256(key secret, message fields("banqi deal layout", "1", rules, start, n, nonce1, nonce2, ...)).
  The stream is the bytes of block(0), block(1), ... one after the other.
- draw(m), for m from 2 to 256, takes the next byte of the stream until it is below 256 - 256 % m, and is that byte
  modulo m.
- pieces is the list of the pool's letters in canonical order, as in start. For i from the last place, counted from 0,
  down to 1: j = draw(i + 1), then pieces[i] and pieces[j] change places.
- pieces[k] lies on the face-down square that is number k, from 0, when they are ordered a1, b1, ..., a2, b2, ...
- A deal with a seed has the secret SHA-256(fields("banqi deal seed", "1", seed)).
- opening = "1." secret "." nonce1 "." nonce2 ... "." check, secret and nonces in lower-case hex digits. check is the
  first 16 hex digits of SHA-256(fields("banqi deal opening", "1", commitment, secret, nonce1, nonce2, ...)). It finds
  a nonce that was damaged on the way; against a dealer who forges one, compare the nonces.
"""

import hmac
import operator
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NoReturn, Self, TypeVar

from banqi.errors import DealError, shown, whole_number
from banqi.notation import FACE_DOWN, Setup, format_fen, parse_fen
from banqi.rules import Rules

SECRET_BYTES: Final = 32
LONGEST_NONCE: Final = 64
"""In bytes of UTF-8."""
MOST_NONCES: Final = 16
LARGEST_SEED: Final = 2**64 - 1

_VERSION: Final = "1"
_CHECK_DIGITS: Final = 16
_COMMITMENT = re.compile("[0-9a-f]{64}")
_OPENING = re.compile(
    rf"{_VERSION}\.([0-9a-f]{{64}})((?:\.(?:[0-9a-f]{{2}})+){{0,{MOST_NONCES}}})\.([0-9a-f]{{{_CHECK_DIGITS}}})"
)

_T = TypeVar("_T")


class Deal:
    """A secret layout of the face-down pieces of a start, or of the position text `fen`.

    The secret is 256 bits from the system. With a `seed`, a whole number from 0 to 2**64 - 1, it follows from that:
    for study and tests, never for a game between people. Whoever has the object can ask it for every square, so it
    stays with the dealer; what he shows of it by accident (its repr, its attributes) tells nothing, and it can be
    neither copied nor pickled.

    >>> deal = Deal("taiwan", seed=1)
    >>> deal.add_nonce("from the first seat")
    >>> letter = deal.reveal(0)
    >>> opened_layout("taiwan", deal.opening(), deal.commitment())[0] == letter
    True

    Raises:
        RulesError, FenError, LimitError: an argument makes no sense.
    """

    # A closure holds what is secret, so that no dump of attributes, however deep, shows it.
    __slots__ = ("_closed", "_layout", "_nonces", "_rules", "_secret", "_start")

    def __init__(self, rules: Rules | str = "taiwan", seed: int | None = None, *, fen: str | None = None) -> None:
        self._rules = Rules.of(rules)
        self._start = _start(self._rules, fen)
        self._secret: Callable[[], bytes] = _kept(secrets.token_bytes(SECRET_BYTES) if seed is None else _grown(seed))
        self._nonces: tuple[str, ...] = ()
        self._closed = False
        self._layout: Callable[[], dict[int, str]] | None = None

    @classmethod
    def from_secret(
        cls, secret: bytes, rules: Rules | str = "taiwan", *, fen: str | None = None, nonces: Iterable[str] = ()
    ) -> Self:
        """Return the deal that a store has kept: its secret, and with it all that is public about it.

        Rules, position text and nonces, these in their order, are needed for the same layout. What was revealed is
        not: the layout follows without it. As nobody tells, the deal takes no further nonces.

        Raises:
            DealError: the secret has the wrong length, or a nonce makes no sense.
            RulesError, FenError: an argument makes no sense.
        """
        deal = cls(rules, fen=fen)
        for nonce in _in_order(nonces):
            deal.add_nonce(nonce)
        deal._secret = _kept(_checked_secret(secret))
        deal._closed = True
        return deal

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def fen(self) -> str:
        """The position text of the start, with all five fields."""
        return format_fen(self._start, self._rules)

    @property
    def nonces(self) -> tuple[str, ...]:
        """What players have added, in this order."""
        return self._nonces

    def commitment(self) -> str:
        """Return 64 hex digits to be published before the nonces: they bind rules, start and secret."""
        return _commitment(self._rules, self._start, self._secret())

    def add_nonce(self, text: str) -> None:
        """Let a player have a share in the layout, before anything of it is revealed; the order matters.

        A nonce is 1 to 64 bytes of printable text. A deal takes up to 16, at least one for each seat.

        Raises:
            DealError: the text is none, there are too many, or it comes too late.
        """
        if self._closed:
            raise DealError("a nonce comes before anything is revealed, and not to a deal that was restored")
        if len(self._nonces) == MOST_NONCES:
            raise DealError(f"a deal takes at most {MOST_NONCES} nonces")
        self._nonces = (*self._nonces, _checked_nonce(text))

    def reveal(self, square: int) -> str:
        """Return the letter of what lies on a square that is face down at the start; the same whenever it is asked.

        Raises:
            SquareError: there is no such square.
            DealError: the square was not face down.
        """
        self._rules.geometry.check(square)
        square = operator.index(square)
        if self._start.cells[square] != FACE_DOWN:
            raise DealError(f"nothing lies face down on {self._rules.geometry.name(square)} at the start")
        self._closed = True
        if self._layout is None:
            self._layout = _kept(_layout(self._rules, self._start, self._secret(), self._nonces))
        return self._layout()[square]

    def opening(self) -> str:
        """Return secret and nonces as one word of ASCII, for `opened_layout`. Nothing is secret after it."""
        self._closed = True
        secret = self._secret()
        nonces = [nonce.encode() for nonce in self._nonces]
        check = _check(self.commitment(), secret, nonces)
        return ".".join((_VERSION, secret.hex(), *(nonce.hex() for nonce in nonces), check))

    def secret(self) -> bytes:
        """Return the 32 bytes that a store keeps for `from_secret`. Whoever reads them knows the layout."""
        return self._secret()

    def __repr__(self) -> str:
        return f"<Deal of {self._rules}, commitment {self.commitment()}>"

    def _refuse(self, *_: object) -> NoReturn:
        raise DealError("a deal is neither copied nor pickled: it would spread its secret")

    __copy__ = __deepcopy__ = __getstate__ = __reduce__ = __reduce_ex__ = _refuse


def opened_layout(
    rules: Rules | str,
    opening: str,
    commitment: str,
    *,
    fen: str | None = None,
    nonces: Iterable[str] | None = None,
) -> dict[int, str]:
    """Return the letter under every square that was face down at the start, out of what a dealer has published.

    With `nonces`, those that the players gave, in their order, the opening must hold exactly these.

    Raises:
        DealError: one is misshapen, or they do not belong together, or not to these rules and this start.
        RulesError, FenError: an argument makes no sense.
    """
    rules = Rules.of(rules)
    start = _start(rules, fen)
    secret, held, check = _read(opening)
    if _commitment(rules, start, secret) != _checked_commitment(commitment):
        raise DealError("the opening does not belong to the commitment, the rule set and the start")
    if _check(commitment, secret, [nonce.encode() for nonce in held]) != check:
        raise DealError("the opening is damaged: its check does not fit its nonces")
    # Of an endless source no more is asked for than settles it.
    if nonces is not None and tuple(map(_checked_nonce, islice(_in_order(nonces), MOST_NONCES + 1))) != held:
        raise DealError(f"the opening holds other nonces than those given: {shown(list(held))}")
    return _layout(rules, start, secret, held)


def opened_nonces(opening: str) -> tuple[str, ...]:
    """Return the nonces that an opening holds, in the order they were added.

    Raises:
        DealError: the opening is misshapen.
    """
    return _read(opening)[1]


def _kept(value: _T) -> Callable[[], _T]:
    return lambda: value


def _start(rules: Rules, fen: str | None) -> Setup:
    return Setup.start(rules) if fen is None else parse_fen(fen, rules)


def _grown(seed: int) -> bytes:
    return sha256(_fields("banqi deal seed", _VERSION, str(whole_number(seed, "the seed", 0, LARGEST_SEED)))).digest()


def _fields(*items: str | bytes) -> bytes:
    encoded = [item.encode() if isinstance(item, str) else item for item in items]
    return b"".join(len(item).to_bytes(4, "big") + item for item in encoded)


def _commitment(rules: Rules, start: Setup, secret: bytes) -> str:
    fields = _fields("banqi deal commitment", _VERSION, str(rules), format_fen(start, rules), secret)
    return sha256(fields).hexdigest()


def _check(commitment: str, secret: bytes, nonces: Iterable[bytes]) -> str:
    fields = _fields("banqi deal opening", _VERSION, commitment, secret, *nonces)
    return sha256(fields).hexdigest()[:_CHECK_DIGITS]


def _checked_secret(secret: object) -> bytes:
    if isinstance(secret, bytes) and len(secret) == SECRET_BYTES:
        return secret
    # Never the value itself: errors end up in logs.
    raise DealError(f"a secret is {SECRET_BYTES} bytes")


def _checked_commitment(text: object) -> str:
    if isinstance(text, str) and _COMMITMENT.fullmatch(text):
        return text
    raise DealError(f"a commitment is 64 lower-case hex digits, not {shown(text, 64)}")


def _checked_nonce(text: object) -> str:
    if isinstance(text, str) and text.isprintable():
        with suppress(UnicodeEncodeError):
            if 1 <= len(text.encode()) <= LONGEST_NONCE:
                return text
    raise DealError(f"a nonce is 1 to {LONGEST_NONCE} bytes of printable text, not {shown(text)}")


def _in_order(nonces: object) -> Iterator[Any]:
    """Refuse what has no order, and a single text, whose letters are no nonces."""
    if not isinstance(nonces, str | bytes | Mapping | Set) and isinstance(nonces, Iterable):
        return iter(nonces)
    raise DealError(f"nonces are texts in their order, such as a list of them, not {shown(nonces)}")


def _read(opening: object) -> tuple[bytes, tuple[str, ...], str]:
    """Return secret, nonces and check of an opening."""
    match = _OPENING.fullmatch(opening) if isinstance(opening, str) else None
    if match is None:
        raise DealError("an opening is written 1.secret.nonce.nonce.check, in lower-case hex digits")
    try:
        nonces = [bytes.fromhex(nonce).decode() for nonce in match[2].split(".")[1:]]
    except UnicodeDecodeError:
        raise DealError("the opening holds a nonce that is no text") from None
    return bytes.fromhex(match[1]), tuple(_checked_nonce(nonce) for nonce in nonces), match[3]


def _layout(rules: Rules, start: Setup, secret: bytes, nonces: tuple[str, ...]) -> dict[int, str]:
    """Shuffle the pool over the face-down squares."""
    stream = _stream(secret, str(rules), format_fen(start, rules), nonces)
    pieces = list(start.pool)
    for i in range(len(pieces) - 1, 0, -1):
        # What is left over above the last whole multiple would make small numbers likelier.
        end = 256 - 256 % (i + 1)
        j = next(byte for byte in stream if byte < end) % (i + 1)
        pieces[i], pieces[j] = pieces[j], pieces[i]
    squares = [square for square, cell in enumerate(start.cells) if cell == FACE_DOWN]
    return dict(zip(squares, pieces, strict=True))


def _stream(secret: bytes, rules: str, start: str, nonces: tuple[str, ...]) -> Iterator[int]:
    number = 0
    while True:
        message = _fields("banqi deal layout", _VERSION, rules, start, str(number), *nonces)
        yield from hmac.digest(secret, message, "sha256")
        number += 1
