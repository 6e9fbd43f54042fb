"""What people see of each game, one folder per game."""
