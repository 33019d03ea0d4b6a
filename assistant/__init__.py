"""The travel desk: commands, trips, bookings, language, and the faces people see."""

import os

os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")  # read when langgraph is first imported
