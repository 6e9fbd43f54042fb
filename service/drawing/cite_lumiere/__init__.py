"""La Cité de la Lumière as people see it."""
