"""A process that speaks UCI, as a driver has it."""

from line_process import PATIENCE, LineProcess


class UciProcess(LineProcess):
    """`banqi uci`."""

    def __init__(self, *arguments: str, program: tuple[str, ...] = ("-m", "banqi")) -> None:
        super().__init__("uci", *arguments, program=program)

    def send(self, *lines: str | bytes) -> None:
        """Send lines, each with its end."""
        self.write(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))

    def until(self, last: str, patience: float = PATIENCE) -> list[str]:
        """The next lines, to the first that begins so."""
        lines = [self.line(patience)]
        while not lines[-1].startswith(last):
            lines.append(self.line(patience))
        return lines

    def ask(self, *lines: str | bytes) -> list[str]:
        """Send lines; what is said until they have been obeyed."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def go(self, line: str = "go nodes 50") -> list[str]:
        """Let it search; all that it tells of the search, the best move last."""
        self.send(line)
        return self.until("bestmove")

    def best(self, line: str = "go nodes 50") -> str:
        """Let it search; the best move."""
        return self.go(line)[-1].removeprefix("bestmove ")

    def state(self) -> dict[str, str]:
        """What `d` tells below the board, by its words."""
        self.send("d")
        return dict(line.split(": ", 1) for line in self.until("Outcome: ") if line[0].isupper() and ": " in line)

    def end(self) -> tuple[int, str, str]:
        """Close its input: the exit status and what else it says."""
        status, out, err = self.rest()
        return status, out.decode(), err.decode()
