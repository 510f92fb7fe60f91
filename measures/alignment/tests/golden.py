"""Pairs of texts with the alignment that the specification asks for, token by token."""

GOLDEN = [
    ("The old bridge finally fell .", "The bridge at last fell .", "0-0 2-1 4-4 5-5"),
    ("He bought an automobile today .", "Today he bought a car .", "0-1 1-2 2-3 3-4 4-0 5-5"),
    ("think about your household", "imagine your household", "2-1 3-2"),
    (
        "Prices are rising quickly in the north , officials said on Friday .",
        "Officials said prices rise quickly in the north .",
        "0-2 2-3 3-4 4-5 5-6 6-7 8-0 9-1 12-8",
    ),
    (
        "The report that the committee wrote was sent to the mayor of the town .",
        "The committee sent the report to the mayor .",
        "0-3 1-4 3-0 4-1 7-2 8-5 9-6 10-7 14-8",
    ),
    (
        "The mayor spoke on Monday .\nHe promised new schools for the north .",
        "The mayor spoke on Monday and promised new schools .",
        "0-0 1-1 2-2 3-3 4-4 7-6 8-7 9-8 13-9",
    ),
    (
        "The mayor spoke on Monday .\nHe promised new schools for the north .",
        "He spoke on Monday .",
        "2-1 3-2 4-3 5-4",
    ),
    (
        "The mayor spoke on Monday .\nHe promised new schools for the north .",
        "The mayor spoke .\nHe promised schools .",
        "0-0 1-1 2-2 5-3 6-4 7-5 9-6 13-7",
    ),
    ("the the the cat", "the cat the", "2-0 3-1"),
    (
        "Of the 2,000 people in the hall , most left early .",
        "Most of the 2000 people left early .",
        "0-1 1-2 2-3 3-4 9-5 10-6 11-7",
    ),
]
