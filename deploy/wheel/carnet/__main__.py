"""`python -m carnet` is the command `carnet`."""

from carnet import main

main()
