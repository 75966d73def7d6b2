"""That Escalated Quickly: rules, both engines, exact results and the search for a planned mistake."""
