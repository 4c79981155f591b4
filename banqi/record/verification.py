"""Whether a record's reveals are those of the layout that was committed to."""

from dataclasses import dataclass

from banqi.errors import BanqiError, RecordError
from banqi.record.record import Record


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a record: `reveals` is how many reveals agree with the opened layout, None if none could be.

    missing: the tags without which they could not.
    """

    reveals: int | None
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.reveals is None:
            return f"reveals not checked, without {' and '.join(self.missing)}"
        return f"the opening belongs to the commitment, {self.reveals} reveals agree with it"


def verify(record: Record) -> Verification:
    """Check a record's opening against its commitment, and all its reveals against the layout so opened.

    That the moves are legal needs no check: a Record that exists holds.

    Raises:
        RecordError: the opening does not belong to the commitment, or a reveal is not what lay there; `key` says which.
    """
    missing = tuple(name for name in ("Commitment", "Opening") if name not in record.tags)
    if missing:
        return Verification(None, missing)
    from banqi.deal import opened_layout

    try:
        layout = opened_layout(record.rules, record.tags["Opening"], record.tags["Commitment"], fen=record.fen)
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
    return Verification(reveals)
