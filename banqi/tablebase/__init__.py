"""Endgame tables: exact values of positions with few pieces, built, verified and probed."""

from banqi.tablebase.probe import ProbeResult, Tablebase

__all__ = ["ProbeResult", "Tablebase"]
