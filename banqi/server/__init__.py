"""The game server: people and programs play by link, and programs ask the engine over HTTP. See README.md."""
