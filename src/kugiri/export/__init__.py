"""From results to files: Arrow schemas, tables, the results folder."""
