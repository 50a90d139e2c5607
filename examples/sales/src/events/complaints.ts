import { event, onEvent } from '@lintel/application';

/** The first version, of shops that do not ask for the reason yet. */
export const complainedWithoutReason = event<{ text: string }>('sales.order-complained.v1', {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string' } },
});

/** A customer has complained of an order. */
export const complained = event<{ text: string; reason: string }>(
  'sales.order-complained.v2',
  {
    type: 'object',
    required: ['text', 'reason'],
    properties: { text: { type: 'string' }, reason: { type: 'string' } },
  },
  { upcasts: { 'sales.order-complained.v1': ({ text }: { text: string }) => ({ text, reason: 'other' }) } },
);

/** Adds complaints to the notes of their order. */
export const noteComplaints = onEvent(
  complained,
  { name: 'complaints', as: { resourceRoles: ['sales-manager'] }, retries: 1 },
  async ({ event: { subject, data: complaint }, data }) => {
    const id = subject.slice('sales_Order/'.length);
    const order = await data.load('sales_Order', id);
    const line = `${complaint.reason}: ${complaint.text}`;
    await data.update('sales_Order', id, { notes: order?.['notes'] ? `${order['notes']}\n${line}` : line });
  },
);
