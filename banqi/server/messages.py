"""What goes over the wire and into the store, as msgspec structs: events, requests, and what is answered.

Times and clocks are whole milliseconds; times count from 1970. A seat is 0, who is to move first, or 1.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

SeatNumber = Literal[0, 1]
Player = Literal["human", "computer"]
LevelName = Literal["easy", "medium", "hard"]
Colour = Literal["r", "b"]
Stage = Literal["waiting", "playing", "over"]

LONGEST_RULES: Final = 200
LONGEST_FEN: Final = 250
MOST_MOVES: Final = 1000
LONGEST_CLOCK: Final = 24 * 3_600_000
"""In milliseconds."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
SecretKey = Annotated[str, Meta(min_length=22, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Meta(min_length=43, max_length=43, pattern="^[A-Za-z0-9_-]+$")]
Nonce = Annotated[str, Meta(min_length=1, max_length=64)]
MoveText = Annotated[str, Meta(min_length=2, max_length=12)]
RulesText = Annotated[str, Meta(min_length=1, max_length=LONGEST_RULES)]
FenText = Annotated[str, Meta(min_length=1, max_length=LONGEST_FEN)]
EventNumber = Annotated[int, Meta(ge=0, le=1_000_000)]


def _check_end(key: str) -> None:
    # In Python, `$` stands before a last line's end, too; in schemas it does not.
    if key.endswith("\n"):
        raise ValueError("a key ends in no line's end")


# ---- events: what has happened in a game, public from the first to the last ----------------------------------------


class Event(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    """Something that has happened, and when. Events are stored and sent as they are, in the order of their numbers."""

    time: int


class Created(Event, frozen=True, kw_only=True, tag="created"):
    """The game's frame: its rules, its start, what binds the dealer, and the clocks, if there are any.

    before: the game that this is the rematch of. chances: whether the players have agreed to see how likely each
    identity of a face-down piece is: who joins agrees to what the maker has chosen.
    """

    rules: str
    fen: str
    commitment: str
    clock: int | None
    increment: int
    before: str | None = None
    chances: bool = False


class Seated(Event, frozen=True, kw_only=True, tag="seated"):
    """A seat is taken; the level is the computer's."""

    seat: SeatNumber
    name: str
    player: Player
    level: LevelName | None = None


class NonceAdded(Event, frozen=True, kw_only=True, tag="nonce"):
    """A player has a share in the layout."""

    seat: SeatNumber
    nonce: str


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    """Everybody is there: the game and the first seat's clock begin."""


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    """An action, with what it revealed, as people write it."""

    seat: SeatNumber
    move: str


class DrawOffered(Event, frozen=True, kw_only=True, tag="draw_offered"):
    """It stands until it is answered, or the other seat moves."""

    seat: SeatNumber


class DrawDeclined(Event, frozen=True, kw_only=True, tag="draw_declined"):
    """By this seat."""

    seat: SeatNumber


class TakebackAsked(Event, frozen=True, kw_only=True, tag="takeback_asked"):
    """It stands until it is answered or somebody moves. plies: how many would be undone."""

    seat: SeatNumber
    plies: int


class TakebackDeclined(Event, frozen=True, kw_only=True, tag="takeback_declined"):
    """By this seat."""

    seat: SeatNumber


class TakenBack(Event, frozen=True, kw_only=True, tag="taken_back"):
    """So many plies are undone, as this seat allowed."""

    seat: SeatNumber
    plies: int


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The end: the seat that has won or None, why, and the opening of the deal, if it had begun to bind anybody."""

    winner: SeatNumber | None
    termination: str
    opening: str


class RematchOffered(Event, frozen=True, kw_only=True, tag="rematch_offered"):
    """After the end."""

    seat: SeatNumber


class Rematch(Event, frozen=True, kw_only=True, tag="rematch"):
    """The next game, seats swapped; a player's token opens his seat there too."""

    game: str


AnyEvent = (
    Created
    | Seated
    | NonceAdded
    | Begun
    | Moved
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | TakenBack
    | Ended
    | RematchOffered
    | Rematch
)


# ---- requests: what a player wants ---------------------------------------------------------------------------------


class Request(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something that a seat asks for. The key is the player's: the same key again changes nothing more."""

    key: Key

    def __post_init__(self) -> None:
        """Refuse what the pattern of a key leaves."""
        _check_end(self.key)


class GiveNonce(Request, frozen=True, kw_only=True, tag="nonce"):
    """The player's share in the layout, before the game begins."""

    nonce: Nonce


class Move(Request, frozen=True, kw_only=True, tag="move"):
    """An action without its reveal. after: the last event that the player knows of; an older position is refused."""

    move: MoveText
    after: EventNumber


class Resign(Request, frozen=True, kw_only=True, tag="resign"):
    """In one's turn or not."""


class OfferDraw(Request, frozen=True, kw_only=True, tag="offer_draw"):
    """If the other seat offers one already, this accepts it."""

    after: EventNumber


class AcceptDraw(Request, frozen=True, kw_only=True, tag="accept_draw"):
    """An offer that came no later than `after`."""

    after: EventNumber


class DeclineDraw(Request, frozen=True, kw_only=True, tag="decline_draw"):
    """An offer that came no later than `after`."""

    after: EventNumber


class AskTakeback(Request, frozen=True, kw_only=True, tag="ask_takeback"):
    """Of the player's own last ply, with the answer to it if there is one."""

    after: EventNumber


class AcceptTakeback(Request, frozen=True, kw_only=True, tag="accept_takeback"):
    """What was asked for no later than `after`."""

    after: EventNumber


class DeclineTakeback(Request, frozen=True, kw_only=True, tag="decline_takeback"):
    """What was asked for no later than `after`."""

    after: EventNumber


class OfferRematch(Request, frozen=True, kw_only=True, tag="rematch"):
    """If the other seat offers one already, this accepts it."""


AnyRequest = (
    GiveNonce
    | Move
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | OfferRematch
)


class Hello(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello", forbid_unknown_fields=True):
    """The first message on a WebSocket: who it is, nobody for a spectator, and the last event that he knows of."""

    token: Token | None = None
    after: EventNumber = 0


# ---- what the server says ------------------------------------------------------------------------------------------


class SeatState(Struct, frozen=True, kw_only=True):
    """A seat as everybody sees it. clock: what was left at the time of the last event."""

    name: str | None
    player: Player | None
    level: LevelName | None
    nonce: str | None
    colour: Colour | None
    clock: int | None


class State(Struct, frozen=True, kw_only=True):
    """A game after an event, as everybody sees it.

    legal: the moves of the seat to act, as requests; empty unless the game goes on. last: the last action.
    repetitions: how often the position has occurred, this time included. draw_offer, takeback, rematch_offer: the seats
    whose offer stands.
    """

    number: int
    stage: Stage
    rules: str
    fen: str
    commitment: str
    seats: tuple[SeatState, SeatState]
    to_act: SeatNumber | None
    legal: list[str]
    last: str | None
    quiet: int
    repetitions: int
    chances: bool
    draw_offer: SeatNumber | None
    takeback: SeatNumber | None
    rematch_offer: SeatNumber | None
    assisted: bool
    winner: SeatNumber | None
    termination: str | None
    opening: str | None
    rematch: str | None


class Events(Struct, frozen=True, kw_only=True, tag_field="type", tag="events"):
    """The events from number `first` on, and the state after the last of them. now: the server's clock."""

    first: int
    events: list[AnyEvent]
    state: State
    now: int


class Accepted(Struct, frozen=True, kw_only=True, tag_field="type", tag="accepted"):
    """A request is done and stored. number: of its event; with an earlier key, what it was then."""

    key: str
    number: int


class Refused(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """A request, or with the key None a message that is no request, changes nothing, and why."""

    key: str | None
    reason: str


# ---- HTTP ----------------------------------------------------------------------------------------------------------


class ComputerOpponent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An opponent of a level."""

    level: LevelName = "medium"


class NewGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made. seat: the maker's. computer: the opponent; a human, who comes by a link, without it.

    clock, increment: milliseconds for each seat, and after each of its plies. chances: as in Created.
    """

    name: Name
    rules: RulesText = "taiwan"
    fen: FenText | None = None
    seat: SeatNumber | Literal["random"] = 0
    computer: ComputerOpponent | None = None
    clock: Annotated[int, Meta(ge=1000, le=LONGEST_CLOCK)] | None = None
    increment: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    chances: bool = False


class MadeGame(Struct, frozen=True, kw_only=True):
    """A game, the maker's seat with its token, and what the opponent joins with. Neither is ever told again."""

    game: str
    seat: SeatNumber
    token: str
    invitation: str | None
    commitment: str


class Join(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Taking the free seat. key: a random text of the joiner's; with the same key joining again answers the same."""

    invitation: Token
    key: SecretKey
    name: Name

    def __post_init__(self) -> None:
        """Refuse what the pattern of a key leaves."""
        _check_end(self.key)


class Joined(Struct, frozen=True, kw_only=True):
    """The joiner's seat, and the token that opens it."""

    seat: SeatNumber
    token: str
    commitment: str


class PositionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position: rules, position text (the start without one) and the moves made since, with their reveals."""

    rules: RulesText = "taiwan"
    fen: FenText | None = None
    moves: Annotated[list[MoveText], Meta(max_length=MOST_MOVES)] = []


class BestMoveQuery(PositionSpec, frozen=True, kw_only=True):
    """What ends the search: the first limit that is reached, and in any case the server's own. time: in seconds."""

    time: Annotated[float, Meta(gt=0, le=60)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=1_000_000_000)] | None = None
    depth: Annotated[int, Meta(ge=1, le=100)] | None = None


class AnalysisQuery(BestMoveQuery, frozen=True, kw_only=True):
    """lines: how many moves are wanted, best first."""

    lines: Annotated[int, Meta(ge=1, le=20)] = 3


class DeepeningQuery(PositionSpec, frozen=True, kw_only=True):
    """lines: how many moves are wanted, best first."""

    lines: Annotated[int, Meta(ge=1, le=20)] = 3


class ReviewQuery(PositionSpec, frozen=True, kw_only=True):
    """The moves of a game are what is reviewed. first: the number, from 0, of the action to begin with.

    lines: how many moves are wanted for each, best first.
    """

    first: Annotated[int, Meta(ge=0, le=MOST_MOVES)] = 0
    lines: Annotated[int, Meta(ge=1, le=5)] = 3


class PerftQuery(PositionSpec, frozen=True, kw_only=True):
    """depth: in actions. What would count too much is refused."""

    depth: Annotated[int, Meta(ge=0, le=100)]


class End(Struct, frozen=True, kw_only=True):
    """The end of a game by the rules: the side that has won, None for a draw."""

    winner: Colour | None
    termination: str


class LegalMoves(Struct, frozen=True, kw_only=True):
    """The legal moves, as requests. outcome: the end, which a draw by counting is even where moves are left."""

    fen: str
    outcome: End | None
    moves: list[str]


class RevealValue(Struct, frozen=True, kw_only=True):
    """What a flip or an attempt is worth if it turns up one identity."""

    identity: str
    weight: int
    chance: float
    value: float
    proven: bool
    plies: int | None


class Line(Struct, frozen=True, kw_only=True):
    """A move and what a search found of it. value: the expected result in [-1, 1] for the side to move."""

    move: str
    wire: str
    value: float
    proven: bool
    plies: int | None
    depth: int
    seldepth: int
    nodes: int
    time: float
    pv: list[str]
    reveals: list[RevealValue]


class Lines(Struct, frozen=True, kw_only=True):
    """Lines, best first; none if the game is over."""

    fen: str
    outcome: End | None
    lines: list[Line]


class BestMove(Struct, frozen=True, kw_only=True):
    """The best move with its line; None if the game is over."""

    fen: str
    outcome: End | None
    move: str | None
    line: Line | None


class Reviewed(Struct, frozen=True, kw_only=True):
    """An action of a game as a short search sees it; values are for the seat that acts.

    action: its number, from 0. move: with what it turned up. best: the value of the best move. played: what the search
    found of the action itself, before anything was turned up. after: its value once that is known.
    """

    action: int
    move: str
    seat: SeatNumber
    colour: Colour | None
    best: float
    after: float
    played: Line
    lines: list[Line]


class Leaves(Struct, frozen=True, kw_only=True):
    """How many leaves lie after `depth` actions."""

    depth: int
    leaves: int


class RuleSetInfo(Struct, frozen=True, kw_only=True):
    """A named rule set."""

    name: str
    game: str
    files: int
    ranks: int
    start: str
    letters: str
    quiet_limit: int
    captures: dict[str, str]


class OptionInfo(Struct, frozen=True, kw_only=True):
    """A switch: its words, and the smallest number if it takes numbers; with neither it stands alone."""

    name: str
    words: list[str]
    smallest: int | None


class RuleSets(Struct, frozen=True, kw_only=True):
    """The rule sets and their switches, written name(option, option=value)."""

    rules: list[RuleSetInfo]
    options: list[OptionInfo]


class Health(Struct, frozen=True, kw_only=True):
    """Whether the server serves."""

    status: Literal["ok", "database", "stopping"]


class Problem(Struct, frozen=True, kw_only=True):
    """What was wrong with a request."""

    status: int
    detail: str


_EVENTS: Final = msgspec.json.Decoder(AnyEvent)
_REQUESTS: Final = msgspec.json.Decoder(AnyRequest)
_HELLO: Final = msgspec.json.Decoder(Hello)
_ENCODER: Final = msgspec.json.Encoder()


def read_event(payload: bytes) -> AnyEvent:
    """Read an event as the store keeps it."""
    return _EVENTS.decode(payload)


def read_request(text: str | bytes) -> AnyRequest:
    """Read a request.

    Raises:
        msgspec.DecodeError: it is none; the line names the key.
    """
    return _REQUESTS.decode(text)


def read_hello(text: str | bytes) -> Hello:
    """Read the first message of a connection.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return _HELLO.decode(text)


def encode(message: Struct) -> bytes:
    """Write a message as JSON."""
    return _ENCODER.encode(message)
