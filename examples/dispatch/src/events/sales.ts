// Made by "lintel events types"; made anew when the events change.
import { event } from '@lintel/application';

/** Data of `sales.order-status-changed.v1`. */
export type SalesOrderStatusChangedV1 = { readonly number: string; readonly status: "NEW" | "CONFIRMED" | "SHIPPED" | "CLOSED" | "DELETED" };

export const salesOrderStatusChangedV1 = event<SalesOrderStatusChangedV1>("sales.order-status-changed.v1", {
  "type": "object",
  "required": [
    "number",
    "status"
  ],
  "properties": {
    "number": {
      "type": "string"
    },
    "status": {
      "enum": [
        "NEW",
        "CONFIRMED",
        "SHIPPED",
        "CLOSED",
        "DELETED"
      ]
    }
  }
}, { source: "/sales" });
