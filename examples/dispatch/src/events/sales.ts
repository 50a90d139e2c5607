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

/** Data of `sales.order-complained.v1`. */
export type SalesOrderComplainedV1 = { readonly text: string };

export const salesOrderComplainedV1 = event<SalesOrderComplainedV1>("sales.order-complained.v1", {
  "type": "object",
  "required": [
    "text"
  ],
  "properties": {
    "text": {
      "type": "string"
    }
  }
}, { source: "/sales" });

/** Data of `sales.order-complained.v2`. */
export type SalesOrderComplainedV2 = { readonly text: string; readonly reason: string };

export const salesOrderComplainedV2 = event<SalesOrderComplainedV2>("sales.order-complained.v2", {
  "type": "object",
  "required": [
    "text",
    "reason"
  ],
  "properties": {
    "text": {
      "type": "string"
    },
    "reason": {
      "type": "string"
    }
  }
}, { source: "/sales" });
