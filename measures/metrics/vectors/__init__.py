"""Vectors that stand for words: from files of vectors, and from models that read words in their context."""
