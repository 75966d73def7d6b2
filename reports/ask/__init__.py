"""The question "is this tactic good?": asked, answered, and planned."""
