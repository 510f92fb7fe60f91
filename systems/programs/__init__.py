"""The programs that compress texts. They know no Django, no clock and no global random state."""
