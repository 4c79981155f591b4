"""The compiled core. Importing it checks the processor first, so that a wrong build is an error and no crash."""

from banqi.core import _cpu

__all__ = ["check_processor"]


def check_processor(*, needed: int, present: int) -> None:
    """Compare two levels of instruction sets: 3 and 2 for x86-64-v3 and -v2, 0 for the platform's base.

    Raises:
        ImportError: the processor lacks what the build needs; one line that names both.
    """
    if present < needed:
        best = f"x86-64-v{present}" if present else "no more than the base instruction set"
        switch = f"BANQI_ISA={f'v{present}' if present else 'base'}"
        raise ImportError(
            f"this build of banqi needs a processor with x86-64-v{needed}, this one has {best}: rebuild with {switch}"
        )


check_processor(needed=_cpu.needed, present=_cpu.present)
