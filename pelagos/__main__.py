"""Entry point of `python -m pelagos`, the same command as `pelagos`."""

import sys

from pelagos.cli.main import main

sys.exit(main())
