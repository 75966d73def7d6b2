"""Every kind of number that is printed with an interval, and what is asked to see how often it holds.

A new kind of number has its place here: a `Kind`, in the source that prints it. Sources call what the commands call.
"""
