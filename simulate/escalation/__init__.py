"""Escalation!: rules, a slow reference engine, a fast compiled one, and exact enumeration."""
