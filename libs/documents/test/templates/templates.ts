import { orderInvoice } from './order-invoice.ts';

/** The binary templates of the example application by their resource name. */
export const TEMPLATES: Readonly<Record<string, () => Uint8Array>> = {
  'reports/order-invoice.docx': orderInvoice,
};
