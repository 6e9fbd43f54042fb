"""`python -m service`: the command `carnet`, which without further words runs the service."""

import sys

from service.cli import main

main(sys.argv[1:] or ["run"], prog_name="carnet")
