"""The balance report of Escalation!: one module per section, and what they share."""
