"""Rating plans: how precision grows with more ratings and texts, and what that costs."""
