"""The sections of the balance report of Escalation!: a file per section, of its name."""
