"""What a paper says about a release: a section on methods, and a human evaluation data sheet."""
