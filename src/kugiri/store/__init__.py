"""What was computed once, kept under a name that says from what."""
