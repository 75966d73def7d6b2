"""How sure a number is: intervals of every kind that is printed, and what they are computed from. Knows no question."""
