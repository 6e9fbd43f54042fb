"""What the service runs on: the processes beside the application."""
