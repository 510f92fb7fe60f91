"""Is a release that somebody downloaded whole, and does its report follow from its ratings?

Commands: ``python -m measures.verify_release FOLDER_OR_ZIP [--report FILE]``.
"""
