"""Drop the project itself from compiled requirements, which pip-compile pins by its folder: its extras are nested.

With it goes the warning that a folder has no hash.
"""

import re
import sys
from pathlib import Path

OWN = re.compile(r"^(?:# .*\n)*precis @ .*\n(?:    #.*\n)*", re.MULTILINE)


def main() -> None:
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(OWN.sub("", path.read_text()))


if __name__ == "__main__":
    main()
