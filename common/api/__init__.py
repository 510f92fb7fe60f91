"""What the API of every room stands on: operations, problems, pages of lists, answers that are given once."""
