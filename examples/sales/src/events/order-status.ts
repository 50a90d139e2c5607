import { entityListener, event } from '@lintel/application';

/**
 * For applications that act on orders, such as `examples/dispatch`. One event for all states, so that consumers get the
 * states of an order in their order.
 */
export const orderStatusChanged = event<{ number: string; status: string }>('sales.order-status-changed.v1', {
  type: 'object',
  required: ['number', 'status'],
  properties: {
    number: { type: 'string' },
    status: { enum: ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED', 'DELETED'] },
  },
});

export const announceOrderStatus = entityListener({
  entity: 'sales_Order',
  async afterSave({ id, change, before, after }, { data }) {
    const status = String(after?.['status'] ?? 'DELETED');
    if (status === (change === 'created' ? 'NEW' : before?.['status'])) return;
    const number = String((after ?? before)?.['number']);
    await data.events.publish(orderStatusChanged, `sales_Order/${id}`, { number, status });
  },
});
