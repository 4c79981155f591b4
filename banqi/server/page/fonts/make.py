"""Cuts the page's two fonts out of Noto Serif CJK: `python make.py [NotoSerifCJK-Bold.ttc]`, in the dev environment.

Without an argument the source is that of Debian's package fonts-noto-cjk. What is cut out: the signs of pieces.js, the
traditional ones in their Taiwanese forms, the simplified ones in those of the mainland. The licence stands in OFL.txt.
"""

import re
import sys
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

HERE: Final = Path(__file__).parent
SOURCE: Final = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc")
FACES: Final = {"traditional": "Noto Serif CJK TC", "simplified": "Noto Serif CJK SC"}
"""By script: the face of the collection that the signs come from."""
_FAMILY: Final = 1


def signs(script: str) -> str:
    """Return the signs that pieces.js has for a script, each once, sorted."""
    text = (HERE.parent / "board" / "pieces.js").read_text(encoding="utf-8")
    lists = re.findall(rf"\b{script}: \[([^]]*)\]", text)
    return "".join(sorted(set(re.findall(r"[^\x00-\x7f]", "".join(lists)))))


def cut(faces: TTCollection, script: str) -> TTFont:
    """Return the font of a script: its signs, with nothing that varies or kerns."""
    font = next(face for face in faces.fonts if face["name"].getDebugName(_FAMILY) == FACES[script])
    options = Options(
        flavor="woff2",
        layout_features=[],
        hinting=False,
        desubroutinize=True,
        notdef_outline=False,
        name_IDs=[0, 1, 2, 13],
    )
    subsetter = Subsetter(options)
    subsetter.populate(text=signs(script))
    subsetter.subset(font)
    font.flavor = "woff2"
    # The same signs make the same bytes.
    font.recalcTimestamp = False
    return font


def main() -> None:
    """Write traditional.woff2 and simplified.woff2 beside this file."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    for script in FACES:
        # Faces share tables, so each cut begins with a collection of its own.
        with TTCollection(source, lazy=True) as faces:
            cut(faces, script).save(HERE / f"{script}.woff2")


if __name__ == "__main__":
    main()
