"""Each request of the journey with the client that openapi-generator makes; prints the results as JSON."""

import json
import sys

from openapi_client import ApiClient, ApiException, Configuration
from openapi_client.api import FilesApi, ReportsApi, SalesCustomerApi, SalesOrderApi, SalesProductApi, TokensApi
from openapi_client.models import (
    Condition,
    ConditionOrGroup,
    EntitySalesCustomer,
    EntitySalesOrder,
    EntitySalesOrderLine,
    EntitySalesProduct,
    Filter,
    ReportRun,
    ReportRunParameter,
    Search,
)

url, number = sys.argv[1:]
results = {}

login = ApiClient(Configuration(host=url, username="client", password="secret"))
token = TokensApi(login).issue_token("password", username="admin", password="admin")
client = ApiClient(Configuration(host=url, access_token=token.access_token))
orders = SalesOrderApi(client)

condition = ConditionOrGroup(Condition(property="customer.name", operator="=", value="Duarte SARL"))
found = orders.search_entities_sales_order(Search(filter=Filter(conditions=[condition]), limit=2))
results["found"] = len(found)

customer = SalesCustomerApi(client).list_entities_sales_customer(limit=1)[0]
product = SalesProductApi(client).list_entities_sales_product(limit=1)[0]
line = EntitySalesOrderLine(product=EntitySalesProduct(id=product.id), quantity=2, price=1.25)
order = EntitySalesOrder(
    number=number, var_date="2026-02-03", status="NEW", customer=EntitySalesCustomer(id=customer.id), lines=[line]
)
created = orders.create_entities_sales_order(order, response_fetch_plan="order-edit")
results["amount"] = created.amount
results["quantity"] = created.lines[0].quantity

read = orders.get_entity_sales_order_with_http_info(created.id)
tag = {name.lower(): value for name, value in read.headers.items()}["etag"]
changed = orders.update_entity_sales_order(
    created.id, EntitySalesOrder(notes="changed"), if_match=tag, response_fetch_plan="_local"
)
results["notes"] = changed.notes
try:
    orders.update_entity_sales_order(created.id, EntitySalesOrder(notes="stale"), if_match=tag)
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
