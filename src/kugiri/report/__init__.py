"""The report, made from exported tables alone."""
