"""Games at a terminal: the board in characters, what people type, games that are kept, the conversation."""
