"""What users write, read with every mistake named: values, ranges, rules, seats and question files."""
