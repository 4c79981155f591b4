"""`python -m banqi` is the command `banqi`."""

import sys

from banqi.cli import main

sys.exit(main())
