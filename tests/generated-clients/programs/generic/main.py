"""The requests of the journey with the client of the API of any application; prints the results as JSON."""

import json
import sys

from openapi_client import ApiClient, ApiException, Configuration
from openapi_client.api import EntitiesApi, FilesApi, ReportsApi, SearchApi, TokensApi
from openapi_client.models import (
    Condition,
    ConditionOrGroup,
    Entity,
    Filter,
    ReportRun,
    ReportRunParameter,
    Search,
)

url, number = sys.argv[1:]
name = "sales_Order"
results = {}

login = ApiClient(Configuration(host=url, username="client", password="secret"))
token = TokensApi(login).issue_token("password", username="admin", password="admin")
client = ApiClient(Configuration(host=url, access_token=token.access_token))
entities = EntitiesApi(client)

condition = ConditionOrGroup(Condition(property="customer.name", operator="=", value="Duarte SARL"))
found = SearchApi(client).search_entities(name, Search(filter=Filter(conditions=[condition]), limit=2))
results["found"] = len(found)

customer = entities.list_entities("sales_Customer", limit=1)[0]
product = entities.list_entities("sales_Product", limit=1)[0]
line = {"product": {"id": product.id.actual_instance}, "quantity": 2, "price": 1.25}
order = {
    "number": number,
    "date": "2026-02-03",
    "status": "NEW",
    "customer": {"id": customer.id.actual_instance},
    "lines": [line],
}
created = entities.create_entities(name, Entity(additional_properties=order), response_fetch_plan="order-edit")
results["amount"] = created.additional_properties["amount"]
results["quantity"] = created.additional_properties["lines"][0]["quantity"]

id = created.id.actual_instance
read = entities.get_entity_with_http_info(name, id)
tag = {header.lower(): value for header, value in read.headers.items()}["etag"]
changed = entities.update_entity(
    name, id, Entity(additional_properties={"notes": "changed"}), if_match=tag, response_fetch_plan="_local"
)
results["notes"] = changed.additional_properties["notes"]
try:
    entities.update_entity(name, id, Entity(additional_properties={"notes": "stale"}), if_match=tag)
except ApiException as error:
    results["stale"] = error.status

files = FilesApi(client)
info = files.upload_file(("note.txt", b"hello"))
results["file"] = files.download_file(info.file_ref).decode()

period = [ReportRunParameter(name="from", value="2026-01-01"), ReportRunParameter(name="to", value="2026-12-31")]
document = ReportsApi(client).run_report_by_code(
    "sales-by-customer", report_run=ReportRun(template="csv", parameters=period)
)
results["report"] = document.decode().splitlines()[0]

print(json.dumps(results))
