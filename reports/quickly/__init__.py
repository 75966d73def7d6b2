"""That Escalated Quickly: the questions, and what its counts mean. Statistics, folders and screens are shared."""
