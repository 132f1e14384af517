"""`python -m pelagos` is the command `pelagos`."""

import sys

from pelagos.cli.main import main

sys.exit(main())
