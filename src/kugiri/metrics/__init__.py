"""What is measured for each question."""
