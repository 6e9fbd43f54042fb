"""An index by which the most points in a game are found without reading those of all players."""

from alembic import op

revision = "0027"
down_revision = "0026"

INDEX = """
CREATE INDEX player_points_highest ON player_points (game, variant, players, visibility, points DESC) WHERE tag = ''
"""


def upgrade() -> None:
    op.execute(INDEX)
