"""The package that a wheel of Carnet installs: it holds `domain`, `migrations` and `service`.

They are imported by their own names, as in a checkout, and only where this package was imported before.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def main() -> None:
    """Run the command `carnet`."""
    from service.cli import main as command  # noqa: PLC0415 - which is found from here on

    command()
