"""Whether a record's reveals are those of the layout that was committed to."""

from collections.abc import Iterable
from dataclasses import dataclass

from banqi.errors import BanqiError, RecordError, shown
from banqi.record.record import Record


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a record: `reveals` is how many reveals agree with the opened layout, None if none could be.

    missing: the tags without which they could not. nonces: what the opening holds, in its order. The commitment does
    not bind them: a dealer who makes up one after the game has chosen the layout, so whoever gave one compares it.
    nonces_compared: whether they are those that were given to `verify`. assisted: what the tag Assisted says, None
    without it: plies were taken back.
    """

    reveals: int | None
    missing: tuple[str, ...] = ()
    nonces: tuple[str, ...] = ()
    nonces_compared: bool = False
    assisted: str | None = None

    def __str__(self) -> str:
        if self.reveals is None:
            text = f"reveals not checked, without {' and '.join(self.missing)}"
        else:
            nonces = ", its nonces are those given" if self.nonces_compared else ""
            text = f"the opening belongs to the commitment{nonces}, {self.reveals} reveals agree with it"
        return text if self.assisted is None else f'{text}; marked [Assisted "{self.assisted}"]'


def verify(record: Record, nonces: Iterable[str] | None = None) -> Verification:
    """Check a record's opening against its commitment, and all its reveals against the layout so opened.

    That the moves are legal needs no check: a Record that exists holds. With `nonces`, all that the players gave, in
    their order, the opening must hold exactly these: one that a dealer adds lets him choose the layout as well as one
    that he changes.

    Raises:
        RecordError: the opening does not belong to the commitment, holds other nonces than those given, or is not
            there to be compared with them; a reveal is not what lay there; `key` says which. Or this is no Record.
    """
    if not isinstance(record, Record):
        raise RecordError(f"a Record is verified, not {shown(record)}")
    assisted = record.tags.get("Assisted")
    missing = tuple(name for name in ("Commitment", "Opening") if name not in record.tags)
    if missing:
        if nonces is not None:
            raise RecordError(f"the nonces cannot be compared, without {' and '.join(missing)}", key="tags")
        return Verification(None, missing, assisted=assisted)
    from banqi.deal import opened_layout, opened_nonces

    opening, commitment = record.tags["Opening"], record.tags["Commitment"]
    try:
        layout = opened_layout(record.rules, opening, commitment, fen=record.fen, nonces=nonces)
        held = opened_nonces(opening)
    except BanqiError as error:
        raise RecordError(str(error), key="tags.Opening") from None
    reveals = 0
    for number, recorded in enumerate(record.moves):
        move = recorded.move
        if move.reveal is not None:
            # A face-down piece never moves, so it lay here from the beginning.
            truth = layout[move.to_square]
            if truth != move.reveal:
                square = move.geometry.name(move.to_square)
                raise RecordError(f"{move} is untrue: {truth} lay on {square}", key=f"moves[{number}].move")
            reveals += 1
    return Verification(reveals, (), held, nonces is not None, assisted)
