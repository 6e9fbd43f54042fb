"""The oldest revision that can be upgraded, where these steps begin. A new database begins with the baseline."""

revision = "0011"
down_revision = None
