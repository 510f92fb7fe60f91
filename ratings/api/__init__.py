"""The API of ratings, of the people who give them, and of their quality."""
