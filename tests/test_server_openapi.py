"""The endpoints against their own description: whatever is asked, the server answers, and as described."""

from contextlib import suppress
from pathlib import Path

import hypothesis
import hypothesis.errors
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis.checks import CheckFunction
from schemathesis.specs.openapi import checks

from served import Caller, Pair, served
from sizes import tenth

# What is refused although the description allows it: rules, positions and moves are more than their grammar.
CHECKS: list[CheckFunction] = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


RULES = ("taiwan", "children", "junqi", "taiwan(quiet_limit=7)")


def made_meaningful(case: schemathesis.Case, pair: Pair, rules: str) -> None:
    """Put what exists in place of texts that would only be found to mean nothing."""
    if "game" in case.path_parameters:
        case.path_parameters["game"] = pair.game
    if isinstance(case.body, dict):
        case.body.pop("fen", None)
        for name, value in (("rules", rules), ("moves", []), ("name", "Ann")):
            if name in case.body:
                case.body[name] = value
    if case.path.endswith("/requests"):
        case.headers["Authorization"] = f"Bearer {pair.tokens[0]}"


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: str(mode.value))
def test_no_request_makes_the_server_fail(tmp_path: Path, mode: schemathesis.GenerationMode) -> None:
    """Requests that the description allows (positive), half of them meaningful; and those that it does not."""
    with served(f"sqlite:///{tmp_path / 'games.db'}", search_seconds=0.05) as address, Caller(address) as caller:
        pair = caller.game()
        schema = schemathesis.openapi.from_url(f"http://{address}/schema/openapi.json")
        statuses: dict[str, set[int]] = {}
        for found in schema.get_all_operations():
            operation = found.ok()

            @hypothesis.given(operation.as_strategy(generation_mode=mode), st.sampled_from((None, *RULES)))
            @hypothesis.settings(
                max_examples=tenth(300),
                deadline=None,
                suppress_health_check=list(hypothesis.HealthCheck),
                database=None,
                derandomize=True,
            )
            def ask(case: schemathesis.Case, rules: str | None) -> None:
                if rules is not None and mode is schemathesis.GenerationMode.POSITIVE:
                    made_meaningful(case, pair, rules)
                answer = case.call_and_validate(checks=CHECKS)
                statuses.setdefault(case.operation.label, set()).add(answer.status_code)

            # Where nothing is sent nothing can be wrong.
            with suppress(hypothesis.errors.Unsatisfiable):
                ask()
        if mode is schemathesis.GenerationMode.POSITIVE:
            assert len(statuses) == 15
            strangers = {label for label, seen in statuses.items() if not seen & {200, 201}}
            # Nobody can guess an invitation.
            assert strangers <= {"POST /api/games/{game}/join", "POST /api/games/{game}/requests"}
        else:
            # A few are taken all the same: Litestar reads "0" as 0.
            assert len(statuses) >= 6
            assert all(400 in seen for seen in statuses.values())


def test_every_endpoint_is_described(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        paths = caller.get("/schema/openapi.json")["paths"]
        described = {(method, path) for path, methods in paths.items() for method in methods}
    assert described == {
        ("get", "/api/rules"),
        ("post", "/api/legal"),
        ("post", "/api/bestmove"),
        ("post", "/api/analysis"),
        ("post", "/api/deepening"),
        ("post", "/api/review"),
        ("post", "/api/perft"),
        ("post", "/api/games"),
        ("get", "/api/games/{game}"),
        ("post", "/api/games/{game}/join"),
        ("post", "/api/games/{game}/requests"),
        ("get", "/api/games/{game}/record"),
        ("get", "/api/games/{game}/record.json"),
        ("get", "/health"),
        ("get", "/metrics"),
    }
