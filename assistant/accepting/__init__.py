"""Accepting a command: one transaction in which it is stored, checked, put in its thread's order, and questions are answered."""
