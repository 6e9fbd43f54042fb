"""`python -m service`: the command `carnet`, which runs the service if no command is named."""

import sys

from service.cli import main

main(sys.argv[1:] or ["run"], prog_name="carnet")
