"""What programs are told about positions: rule sets, legal moves, lines."""

from collections.abc import Sequence

from banqi.engine import Info, Limit
from banqi.outcome import Outcome
from banqi.piece import Side
from banqi.position import Position
from banqi.rules import OPTIONS, RULE_SETS, Rules
from banqi.server.messages import (
    BestMoveQuery,
    Colour,
    End,
    LegalMoves,
    Line,
    OptionInfo,
    PositionSpec,
    RevealValue,
    Reviewed,
    RuleSetInfo,
    RuleSets,
)


def position_of(spec: PositionSpec) -> Position:
    """Return the position that a program means.

    Raises:
        BanqiError: there is no such one.
    """
    position = Position(spec.rules) if spec.fen is None else Position.from_fen(spec.fen, spec.rules)
    for move in spec.moves:
        position.push(move)
    return position


def limit_of(query: BestMoveQuery, most_seconds: float) -> Limit:
    """Return what ends a search: what was asked for, and in any case the time that the server grants."""
    wanted = most_seconds if query.time is None else min(query.time, most_seconds)
    if query.time is None and query.nodes is None and query.depth is None:
        wanted = min(1.0, most_seconds)
    return Limit(time=wanted, nodes=query.nodes, depth=query.depth)


def end_of(outcome: Outcome | None) -> End | None:
    """Return how a game is over by the rules."""
    if outcome is None:
        return None
    winner: Colour | None = None if outcome.winner is None else "r" if outcome.winner is Side.RED else "b"
    return End(winner=winner, termination=str(outcome.termination))


def legal_moves_of(position: Position) -> LegalMoves:
    """Return the legal moves of a position."""
    return LegalMoves(
        fen=position.fen(), outcome=end_of(position.outcome()), moves=[str(move) for move in position.legal_moves]
    )


def line_of(info: Info) -> Line:
    """Return what a search has found of a move."""
    score = info.score
    return Line(
        move=str(info.move),
        wire=info.move.wire(),
        value=score.value,
        proven=score.proven,
        plies=score.plies,
        depth=info.depth,
        seldepth=info.seldepth,
        nodes=info.nodes,
        time=info.time,
        pv=[str(item) for item in info.pv],
        reveals=[
            RevealValue(
                identity=reveal.identity,
                weight=reveal.weight,
                chance=reveal.chance,
                value=reveal.score.value,
                proven=reveal.score.proven,
                plies=reveal.score.plies,
            )
            for reveal in info.reveals
        ],
    )


def reviewed(number: int, position: Position, infos: Sequence[Info], played: Info, reveal: str | None) -> Reviewed:
    """Return what two searches have found of an action.

    position: before it. infos: the best lines. played: the line of the action; a better one than the best stands for
    that, too. reveal: the letter that it turned up.
    """
    mean = played.score.value
    turned_up = [found.score.value for found in played.reveals if found.identity == reveal]
    side = position.side
    request = str(played.move)
    return Reviewed(
        action=number,
        move=request if reveal is None else f"{request}({reveal})",
        seat=0 if position.seat == 0 else 1,
        colour=None if side is None else "r" if side is Side.RED else "b",
        best=max(mean, infos[0].score.value),
        after=turned_up[0] if turned_up else mean,
        played=line_of(played),
        lines=[line_of(info) for info in infos],
    )


def rule_sets() -> RuleSets:
    """Return the named rule sets and the switches."""
    return RuleSets(
        rules=[_rule_set(rule_set.name, Rules.parse(rule_set.name)) for rule_set in RULE_SETS],
        options=[
            OptionInfo(name=option.name, words=list(option.words), smallest=option.smallest) for option in OPTIONS
        ],
    )


def _rule_set(name: str, rules: Rules) -> RuleSetInfo:
    return RuleSetInfo(
        name=name,
        game=rules.game,
        files=rules.geometry.files,
        ranks=rules.geometry.ranks,
        start=Position(rules).fen(),
        letters=rules.letters,
        quiet_limit=rules.quiet_limit,
        captures={kind: _in_order(targets, rules) for kind, targets in rules.captures.items()},
    )


def _in_order(kinds: frozenset[str], rules: Rules) -> str:
    return "".join(sorted(kinds, key=rules.pieces.letters.index))
