import uuid

import schemathesis
from hypothesis import strategies

# Formats of the OpenAPI registry that Schemathesis does not know.
dates = strategies.dates().map(str)
times = strategies.times().map(lambda time: time.strftime("%H:%M:%S"))
schemathesis.openapi.format("date-time-local", strategies.tuples(dates, times).map("T".join))
schemathesis.openapi.format("time-local", times)


@schemathesis.hook
def before_call(_context, case, _parameters):
    """What no schema says: a key is for one request, and tags are of a version; an upsert by POST needs a preference."""
    headers = case.headers or {}
    if "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    if "If-Match" in headers:
        headers["If-Match"] = "*"
    if case.method == "POST" and "resolution=" not in headers.get("Prefer", ""):
        (case.query or {}).pop("key", None)
