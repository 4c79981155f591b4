"""What of a game goes out. It is made from the position and public events; nothing here is ever given a deal."""

from banqi.outcome import Termination
from banqi.piece import Side
from banqi.position import Position
from banqi.record import Record
from banqi.server.ledger import SEATS, Ledger
from banqi.server.messages import Colour, SeatNumber, SeatState, State

_COLOURS: dict[Side, Colour] = {Side.RED: "r", Side.BLACK: "b"}


def state_of(ledger: Ledger, position: Position, clocks: tuple[int, int] | None) -> State:
    """Return a game after its last event.

    position: with its history. clocks: as they stood at the last event, in milliseconds.
    """
    playing = ledger.stage == "playing"
    to_act: SeatNumber = 0 if position.seat == 0 else 1
    created, ended = ledger.created, ledger.ended
    return State(
        number=ledger.number,
        stage=ledger.stage,
        rules=created.rules,
        fen=position.fen(),
        commitment=created.commitment,
        seats=(_seat(ledger, position, clocks, 0), _seat(ledger, position, clocks, 1)),
        to_act=to_act if playing else None,
        legal=[str(move) for move in position.legal_moves] if playing else [],
        last=str(position.peek()) if position.move_stack else None,
        quiet=position.quiet,
        repetitions=position.repetitions(),
        chances=created.chances,
        draw_offer=None if ledger.draw is None else ledger.draw[1],
        takeback=None if ledger.takeback is None else ledger.takeback[1].seat,
        rematch_offer=ledger.rematch_offer,
        assisted=ledger.assisted,
        winner=None if ended is None else ended.winner,
        termination=None if ended is None else ended.termination,
        opening=None if ended is None else ended.opening,
        rematch=ledger.rematch,
    )


def _seat(ledger: Ledger, position: Position, clocks: tuple[int, int] | None, seat: SeatNumber) -> SeatState:
    seated = ledger.seats.get(seat)
    side = position.side
    if side is not None and position.seat != seat:
        side = side.other
    return SeatState(
        name=None if seated is None else seated.name,
        player=None if seated is None else seated.player,
        level=None if seated is None else seated.level,
        nonce=ledger.nonces.get(seat),
        colour=None if side is None else _COLOURS[side],
        clock=None if clocks is None else clocks[seat],
    )


def record_of(ledger: Ledger, position: Position) -> Record:
    """Return the game so far as a record, with the commitment, and after the end with the opening.

    position: with its history.
    """
    tags = {"Commitment": ledger.created.commitment}
    for seat, name in zip(SEATS, ("First", "Second"), strict=True):
        if seated := ledger.seats.get(seat):
            tags[name] = seated.name if seated.level is None else f"{seated.name} ({seated.level})"
    if ledger.assisted:
        tags["Assisted"] = "yes"
    result = "*"
    termination = None
    if ledger.ended is not None:
        result = "1/2-1/2" if ledger.ended.winner is None else ("1-0", "0-1")[ledger.ended.winner]
        termination = Termination(ledger.ended.termination)
        tags["Opening"] = ledger.ended.opening
    return Record(
        ledger.created.rules,
        position.move_stack,
        fen=ledger.created.fen,
        result=result,
        termination=termination,
        tags=tags,
    )
