"""Room in the pages of sums: a row that is added to stays on its page, and its index as it is.

Without it each change of a row wrote the row to another page and a new entry of the index, in which all ten columns of
the key are compared; the sums of a batch of imported matches change every row of a page at once. Rows from before get
room when their pages are written anew.
"""

from alembic import op

revision = "0028"
down_revision = "0027"

ROOM = """
ALTER TABLE tallies SET (fillfactor = 50);
ALTER TABLE player_features SET (fillfactor = 50);
ALTER TABLE opening_tallies SET (fillfactor = 50);
"""


def upgrade() -> None:
    op.execute(ROOM)
