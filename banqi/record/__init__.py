"""Records: games as text like PGN and as JSON, with every move checked when they are made or read.

>>> from banqi.record import Record, read_records, write_records
>>> record = Record("taiwan", ["a1(K)", "d8(c)", "a1-b1"], tags={"First": "Ann", "Second": "Bo"})
Traceback (most recent call last):
    ...
banqi.errors.RecordError: moves[2].move: a1-b1 is illegal: b1 lies face down and cannot be captured
>>> record = Record("taiwan", ["a1(K)", "d8(c)"], result="0-1", termination="resign", tags={"First": "Ann"})
>>> print(write_records([record]), end="")
[First "Ann"]
[Rules "taiwan"]
[FirstColour "red"]
[Result "0-1"]
[Termination "resign"]
<BLANKLINE>
1. a1(K) d8(c) 0-1
>>> list(read_records(write_records([record]))) == [record]
True
"""

from banqi.record.files import Format, read_file, write_file
from banqi.record.messages import read_json_records, write_json_records
from banqi.record.record import Record, RecordedMove
from banqi.record.text import read_records, write_records
from banqi.record.verification import Verification, verify

__all__ = [
    "Format",
    "Record",
    "RecordedMove",
    "Verification",
    "read_file",
    "read_json_records",
    "read_records",
    "verify",
    "write_file",
    "write_json_records",
    "write_records",
]
