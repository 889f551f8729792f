"""Rankings: components that turn questions and chunks into a `Run`."""
