"""What it means: numbers with intervals, tables, stories and plots; one module per question."""
