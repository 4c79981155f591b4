"""What the page says and teaches, read by Node (page_words.mjs)."""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from banqi.server.tables import tables_json
from tools import ROOT, require_tool


def page_words(preferences: Sequence[list[str]] = (), spoken: Sequence[tuple[str, str, dict[str, Any]]] = ()) -> Any:
    """The answer of page_words.mjs; without Node the test is left out.

    preferences: lists of languages as browsers tell them. spoken: texts that are asked for, by language, key, values.
    """
    asked = json.dumps({"preferences": list(preferences), "spoken": [list(text) for text in spoken]})
    result = subprocess.run(
        [require_tool("node"), "--no-warnings", "tests/page_words.mjs", asked],
        cwd=ROOT,
        input=tables_json(),
        capture_output=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)
