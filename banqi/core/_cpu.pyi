"""Levels of instruction sets: 3 and 2 for x86-64-v3 and -v2, 0 for the platform's base."""

needed: int
present: int
