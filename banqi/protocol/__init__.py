"""How other programs talk to the engine: one state machine, and a file for each text protocol."""
