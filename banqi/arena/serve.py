"""An engine of another build: what its own Python runs, with nothing but that build's public interface.

Lines come in as JSON, and each is answered by = and JSON, or by ? and what is wrong:

    {"open": {"threads": 1, ...}}                        make an engine with these arguments
    {"begin": "FEN", "rules": "taiwan"}                  begin a game
    {"moves": ["a1(K)", ...], "limit": {"nodes": 2000}}  after these actions, {"move", "score", "nodes"} of the next one
"""

import json
import sys

import banqi


def answer(state: dict, said: dict) -> object:  # type: ignore[type-arg]  # whatever JSON has
    """Do what a line says."""
    if "open" in said:
        state["engine"] = banqi.Engine(**said["open"])
        return banqi.__version__
    if "begin" in said:
        state["engine"].clear()
        state["position"] = banqi.Position.from_fen(said["begin"], rules=said["rules"])
        return None
    position = state["position"]
    for move in said["moves"]:
        position.push(move)
    result = state["engine"].play(position, banqi.Limit(**said["limit"]))
    return {"move": str(result.move), "score": result.info.score.value, "nodes": result.info.nodes}


def main() -> None:
    """Answer lines until there are no more."""
    state: dict = {}  # type: ignore[type-arg]  # as answer() has it
    for line in sys.stdin:
        try:
            text = f"={json.dumps(answer(state, json.loads(line)))}"
        except (TypeError, ValueError) as error:
            text = f"?{' '.join(str(error).split())}"
        print(text, flush=True)


if __name__ == "__main__":
    main()
