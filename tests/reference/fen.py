"""Position text (section 8): read with every refusal that the rules page names, and written."""

from __future__ import annotations

from reference import games
from reference.position import HIDDEN, Position
from reference.rules import Rules


def start(rules: Rules) -> str:
    """The text of the position in which every piece is face down and the camps, if there are any, are empty."""
    board = dict.fromkeys((square for square in rules.squares if square not in rules.camps), HIDDEN)
    pool = {letter: rules.count(letter.upper()) for letter in rules.letters}
    return write(games.position(rules, board, pool, "?"))


def write(position: Position) -> str:
    """The whole text of a position."""
    return f"{identity(position)} {position.quiet}"


def identity(position: Position) -> str:
    """The text without the quiet counter: all that makes two positions of one rule set different."""
    ranks = []
    for row in range(position.rules.rows, 0, -1):
        rank = ""
        run = 0
        for file in position.rules.files:
            letter = position.board.get(f"{file}{row}")
            if letter is None:
                run += 1
                continue
            rank += (str(run) if run else "") + letter
            run = 0
        ranks.append(rank + (str(run) if run else ""))
    pool = "".join(letter * position.pool[letter] for letter in position.rules.letters)
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
    if not (quiet.isdecimal() and quiet.isascii()):
        raise ValueError("the quiet counter is no number")
    if side not in ("r", "b", "?"):
        raise ValueError("the side is r, b or ?")
    pool = dict.fromkeys(rules.letters, 0)
    for letter in "" if hidden == "-" else hidden:
        if letter not in pool:
            raise ValueError(f"no identity: {letter}")
        pool[letter] += 1
    position = games.position(rules, read_placement(placement, rules), pool, side, chain, int(quiet))
    refuse(position)
    return position


def read_placement(placement: str, rules: Rules) -> dict[str, str]:
    """The occupied squares of the first field."""
    ranks = placement.split("/")
    if len(ranks) != rules.rows:
        raise ValueError("a board has another number of ranks")
    board = {}
    for row, rank in zip(range(rules.rows, 0, -1), ranks, strict=True):
        column = 0
        after_digit = False
        for letter in rank:
            if letter in "12345678"[: len(rules.files)]:
                if after_digit:
                    raise ValueError("two digits side by side")
                column += int(letter)
            elif letter == HIDDEN or letter in rules.letters:
                if column >= len(rules.files):
                    raise ValueError("a rank is too long")
                board[f"{rules.files[column]}{row}"] = letter
                column += 1
            else:
                raise ValueError(f"no piece: {letter}")
            after_digit = letter.isdecimal()
        if column != len(rules.files):
            raise ValueError("a rank has the wrong length")
    return board


def refuse(position: Position) -> None:
    """Raise ValueError for the first fault of a position."""
    rules, board, pool = position.rules, position.board, position.pool
    shown = [letter for letter in board.values() if letter != HIDDEN]
    for letter in rules.letters:
        if shown.count(letter) + pool[letter] > rules.count(letter.upper()):
            raise ValueError(f"too many of {letter}")
    hidden = sum(pool.values())
    if hidden != len(board) - len(shown):
        raise ValueError("pool and face-down squares differ in number")
    everything = 2 * sum(rules.count(kind) for kind in rules.kinds)
    if position.side == "?" and (shown or hidden < everything or position.quiet > 0):
        raise ValueError("the side must be known once something was shown")
    if position.side != "?" and hidden == everything:
        raise ValueError("the side cannot be known before something was shown")
    if position.quiet > rules.quiet_limit:
        raise ValueError("the quiet counter is above the limit")
    if position.lost("r") and position.lost("b"):
        raise ValueError("both sides have lost")
    position.refuse()
