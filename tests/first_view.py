"""What stands in index.html before any script has run: the first board, the modules to be loaded at once, first texts.

`python tests/first_view.py` writes it anew after a change of the board, of imports, or of English texts.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Page

from banqi.server.page import FOLDER

INDEX: Final = FOLDER / "index.html"
_IMPORT: Final = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";', re.MULTILINE)
_DRAWN: Final = """async (way) => {
  const { firstBoard } = await import("/page/play/first_board.js");
  return firstBoard(way).outerHTML;
}"""


def modules() -> list[str]:
    """Return the paths of all modules that main.js cannot start without, itself left out."""
    found: dict[Path, None] = {}

    def follow(path: Path) -> None:
        for match in _IMPORT.finditer(path.read_text(encoding="utf-8")):
            target = (path.parent / (match[1] or match[2])).resolve()
            if target not in found:
                found[target] = None
                follow(target)

    follow(FOLDER / "main.js")
    return sorted(path.relative_to(FOLDER.resolve()).as_posix() for path in found)


def boards(page: Page) -> list[str]:
    """Return the markup of the first board, lying and standing, as the page's own modules draw it."""
    return [str(page.evaluate(_DRAWN, way)).replace("></use>", "/>") for way in ("lying", "standing")]


def english() -> dict[str, str]:
    """Return the plain texts of English by key."""
    source = (FOLDER / "languages" / "en.js").read_text(encoding="utf-8")
    return dict(_texts(source))


def _texts(source: str) -> Iterator[tuple[str, str]]:
    for key, first, more in re.findall(
        r'^  "([^"]+)":\s+("(?:[^"\\]|\\.)*")((?:\s*\+\s*"(?:[^"\\]|\\.)*")*),', source, re.M
    ):
        parts = [first, *re.findall(r'"(?:[^"\\]|\\.)*"', more)]
        yield key, "".join(json.loads(part) for part in parts)


def written(index: str, page: Page) -> str:
    """Return index.html as it should be."""
    preloads = "".join(f'    <link rel="modulepreload" href="/page/{path}" />\n' for path in modules())
    drawn = "".join(f"            {board}\n" for board in boards(page))
    for name, content, indent in (("modules", preloads, 4), ("first board", drawn, 12)):
        blank = " " * indent
        index = re.sub(
            rf"{blank}<!-- {name} -->\n.*?{blank}<!-- end -->\n",
            lambda _, name=name, content=content, blank=blank: (
                f"{blank}<!-- {name} -->\n{content}{blank}<!-- end -->\n"
            ),
            index,
            flags=re.DOTALL,
        )
    texts = english()
    return re.sub(
        r'(data-t="([^"]+)"[^>]*>)[^<]*(<)',
        lambda match: match[1] + escape(texts[match[2]], quote=False) + match[3],
        index,
    )


def main() -> None:
    """Write index.html anew."""
    from browser import browser, page_served

    with TemporaryDirectory() as folder, page_served(Path(folder)) as address, browser() as chromium:
        page = chromium.new_page(base_url=f"http://{address}")
        page.goto("/")
        INDEX.write_text(written(INDEX.read_text(encoding="utf-8"), page), encoding="utf-8")


if __name__ == "__main__":
    main()
