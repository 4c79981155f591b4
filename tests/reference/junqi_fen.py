"""Position text of Junqi (section 8): read with every refusal that the rules page names, and written."""

from __future__ import annotations

from reference.junqi import Position
from reference.junqi_board import CAMPS, FILES, NODES, ROWS
from reference.junqi_rules import LETTERS, SET, Rules
from reference.position import HIDDEN


def start(rules: Rules) -> str:
    """The text of the position in which every piece is face down and the camps are empty."""
    board = {node: HIDDEN for node in NODES if node not in CAMPS}
    pool = {letter: SET[letter.upper()] for letter in LETTERS}
    return write(Position(rules, board, pool, "?"))


def write(position: Position) -> str:
    """The whole text of a position."""
    return f"{identity(position)} {position.quiet}"


def identity(position: Position) -> str:
    """The text without the quiet counter: all that makes two positions of one rule set different."""
    ranks = []
    for row in reversed(ROWS):
        rank = ""
        run = 0
        for file in FILES:
            letter = position.board.get(f"{file}{row}")
            if letter is None:
                run += 1
                continue
            rank += (str(run) if run else "") + letter
            run = 0
        ranks.append(rank + (str(run) if run else ""))
    pool = "".join(letter * position.pool[letter] for letter in LETTERS)
    return f"{'/'.join(ranks)} {position.side} {pool or '-'} {position.chain}"


def read(text: str, rules: Rules) -> Position:
    """The position of a text; ValueError with the reason."""
    fields = text.split(" ")
    if "" in fields:
        raise ValueError("fields are separated by single spaces")
    if len(fields) == 3:
        fields += ["-", "0"]
    if len(fields) != 5:
        raise ValueError("a position has three or five fields")
    placement, side, hidden, chain, quiet = fields
    if chain != "-":
        raise ValueError("there are no chains")
    if not (quiet.isdecimal() and quiet.isascii()):
        raise ValueError("the quiet counter is no number")
    if side not in ("r", "b", "?"):
        raise ValueError("the side is r, b or ?")
    pool = dict.fromkeys(LETTERS, 0)
    for letter in "" if hidden == "-" else hidden:
        if letter not in LETTERS:
            raise ValueError(f"no identity: {letter}")
        pool[letter] += 1
    position = Position(rules, read_placement(placement), pool, side, int(quiet))
    refuse(position)
    return position


def read_placement(placement: str) -> dict[str, str]:
    """The occupied nodes of the first field."""
    ranks = placement.split("/")
    if len(ranks) != len(ROWS):
        raise ValueError("a board has twelve ranks")
    board = {}
    for row, rank in zip(reversed(ROWS), ranks, strict=True):
        column = 0
        after_digit = False
        for letter in rank:
            if letter in "12345":
                if after_digit:
                    raise ValueError("two digits side by side")
                column += int(letter)
            elif letter == HIDDEN or letter in LETTERS:
                if column >= len(FILES):
                    raise ValueError("a rank is too long")
                board[f"{FILES[column]}{row}"] = letter
                column += 1
            else:
                raise ValueError(f"no piece: {letter}")
            after_digit = letter.isdecimal()
        if column != len(FILES):
            raise ValueError("a rank has the wrong length")
    return board


def refuse(position: Position) -> None:
    """Raise ValueError for the first fault of a position."""
    board, pool = position.board, position.pool
    shown = [letter for letter in board.values() if letter != HIDDEN]
    for letter in LETTERS:
        if shown.count(letter) + pool[letter] > SET[letter.upper()]:
            raise ValueError(f"too many of {letter}")
    hidden = sum(pool.values())
    if hidden != len(board) - len(shown):
        raise ValueError("pool and face-down nodes differ in number")
    everything = 2 * sum(SET.values())
    if position.side == "?" and (shown or hidden < everything or position.quiet > 0):
        raise ValueError("the side must be known once something was shown")
    if position.side != "?" and hidden == everything:
        raise ValueError("the side cannot be known before something was shown")
    if position.quiet > position.rules.quiet_limit:
        raise ValueError("the quiet counter is above the limit")
    for camp in CAMPS:
        if board.get(camp, "M").upper() in ("F", "L", HIDDEN.upper()):
            raise ValueError(f"no flag, mine or face-down piece gets into a camp: {camp}")
    if position.lost("r") and position.lost("b"):
        raise ValueError("both flags are missing")
