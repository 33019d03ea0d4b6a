"""Read models for pages and REST: plain SELECT to frozen values. Nothing here reads a checkpoint, asks the airline or writes."""
