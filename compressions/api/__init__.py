"""The API of texts, their compressions, and what people said about them."""
