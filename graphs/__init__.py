"""The two graphs: a conversation, and a trip."""

import os

os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")  # read when langgraph is first imported
