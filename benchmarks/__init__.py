"""What things cost, as ratios from one run; each line can be run by itself. No test waits for them."""

import os

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"  # before langgraph is imported
