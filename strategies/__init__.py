"""What a player decides: parameters, costs, named strategies and tactics. Knows no engine."""
