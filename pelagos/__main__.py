"""`python -m pelagos` is the command `pelagos`."""

import sys

from pelagos.cli import main

sys.exit(main())
