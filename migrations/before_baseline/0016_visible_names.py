"""Names compared without what cannot be seen, as the service does by now."""

from alembic import op

revision = "0016"
down_revision = "0015"

# The characters of `service.names` when this came to be; a name of which nothing would be left stays as it is.
INVISIBLE = (
    r"\u0001-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
UP = f"""
UPDATE players SET folded = seen.folded FROM (
    SELECT player_id, normalize(
        btrim(regexp_replace(regexp_replace(folded, '[{INVISIBLE}]', '', 'g'), ' +', ' ', 'g'), ' '), NFC
    ) AS folded
    FROM players WHERE folded ~ '[{INVISIBLE}]'
) AS seen
WHERE players.player_id = seen.player_id AND seen.folded <> ''
"""  # noqa: S608 -- it is made of constants


def upgrade() -> None:
    op.execute(UP)
