import type { ReportDefinition, ReportGroup } from '@lintel/application';
import { ANALYTICS, DOCUMENTS } from './groups.ts';
import { INTERNAL_AUDIT } from './internal-audit.ts';
import { ORDER_INVOICE } from './order-invoice.ts';
import { PRICE_LIST } from './price-list.ts';
import { SALES_BY_CUSTOMER } from './sales-by-customer.ts';
import { STOCK_CROSS_TABLE } from './stock-cross-table.ts';

export const REPORT_GROUPS: readonly ReportGroup[] = [DOCUMENTS, ANALYTICS];

export const REPORTS: readonly ReportDefinition[] = [
  ORDER_INVOICE,
  SALES_BY_CUSTOMER,
  STOCK_CROSS_TABLE,
  PRICE_LIST,
  INTERNAL_AUDIT,
];
