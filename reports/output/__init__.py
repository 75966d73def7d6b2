"""Where results go, for every question alike: the screen, the output folder, tables, pages and figures."""
