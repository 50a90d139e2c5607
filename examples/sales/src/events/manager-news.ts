import { type EventContext, onEvent } from '@lintel/application';

const AS = { resourceRoles: ['sales-manager'] };
const HAS_MANAGER = { property: 'manager', operator: 'notEmpty', value: true };

/** Notifies the managers of orders, whose names only users with other roles may read. */
async function notify({ event, data }: EventContext<{ id: unknown }>, property: string, news: string): Promise<void> {
  const all = data.unconstrained();
  const filter = { conditions: [{ property, operator: '=', value: event.data.id }, HAS_MANAGER] };
  const fetchPlan = { entity: 'sales_Order', properties: ['number', 'manager.username'] };
  for (const { id, number, manager } of await all.loadList('sales_Order', { filter, fetchPlan })) {
    const { username: to } = manager as { readonly username: string };
    await all.notifications.send({ to, title: `Order ${number}: ${news}`, link: { entity: 'sales_Order', id } });
  }
}

export const MANAGER_NEWS = [
  onEvent(
    { entity: 'sales_Order', changes: ['updated'], became: { status: 'SHIPPED' } },
    { name: 'shipped-orders', as: AS },
    (context) => notify(context, 'id', 'it was shipped'),
  ),
  onEvent({ entity: 'sales_Delivery', changes: ['updated'] }, { name: 'changed-deliveries', as: AS }, (context) =>
    notify(context, 'delivery.id', 'another delivery'),
  ),
];
