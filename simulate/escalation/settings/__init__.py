"""What the runner plays besides plain tables: comparisons, invasions, playouts, other openings, games looked into."""
