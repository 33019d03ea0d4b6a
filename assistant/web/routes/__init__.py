"""The routes of /api/v1, one module a noun: each turns HTTP into a command or a view, and decides nothing."""
