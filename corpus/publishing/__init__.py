"""Releases on their way to the Hugging Face Hub and to Zenodo."""
