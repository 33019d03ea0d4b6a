"""The pages people see, made with Gradio, which is imported in here and nowhere else."""

import os

# Gradio reads these when it is imported and when a queue is made: nothing is sent home, and no table of all past events is added
# up after each one.
for _name, _value in (("ENABLED", "False"), ("CACHE_FREQUENCY", "1000000000"), ("MAX_EVENTS", "1")):
    os.environ.setdefault(f"GRADIO_ANALYTICS_{_name}", _value)
