"""The compiled game: hands as words, options as tables, choices, turns, whole games and pairs of games, and counts."""
