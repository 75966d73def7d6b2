"""The same game in plain Python, slow and clear, from the rules alone: what checks the compiled one."""
