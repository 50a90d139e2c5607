"""Runs all checks of scim2-tester against the address in the first parameter, with the token in the second one."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:]
client = SyncSCIMClient(Client(base_url=url, headers={"Authorization": f"Bearer {token}"}))
results = [
    {"status": result.status.name, "title": result.title, "reason": result.reason, "resource": result.resource_type}
    for result in check_server(client)
]
print(json.dumps(results))
