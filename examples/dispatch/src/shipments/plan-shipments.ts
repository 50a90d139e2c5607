import { type DataManager, type Instance, onEvent } from '@lintel/application';
import { salesOrderStatusChangedV1 } from '../events/sales.ts';

/**
 * Plans the shipment of a confirmed order on a tour with room, or refuses it; cancels the shipment of an order that is
 * no longer confirmed. The state decides what is done, so that an event twice has the effect of one.
 */
export const planShipments = onEvent(
  salesOrderStatusChangedV1,
  { name: 'plan-shipments', as: { resourceRoles: ['dispatch-planner'] } },
  async ({ event: { subject, data: order }, data }) => {
    const fetchPlan = {
      entity: 'dispatch_Shipment',
      properties: ['state', { name: 'tour', fetchPlan: { properties: ['free'] } }],
    };
    const [known] = await data.loadList('dispatch_Shipment', { filter: where('order', '=', subject), fetchPlan });
    if (order.status === 'CONFIRMED') await plan(data, known, { order: subject, number: order.number });
    else if (order.status === 'NEW' || order.status === 'DELETED') await cancel(data, known);
  },
);

async function plan(data: DataManager, known: Instance | undefined, of: { order: string; number: string }) {
  if (known?.['state'] === 'PLANNED' || known?.['state'] === 'SHIPPED') return;
  const [tour] = await data.loadList('dispatch_Tour', { filter: where('free', '>', 0), sort: 'name', limit: 1 });
  if (tour !== undefined) await data.update('dispatch_Tour', tour.id, { free: Number(tour['free']) - 1 });
  const values = { ...of, state: tour === undefined ? 'REFUSED' : 'PLANNED', tour: tour && { id: tour.id } };
  await data.save('dispatch_Shipment', { ...values, ...(known && { id: known.id }) });
}

async function cancel(data: DataManager, known: Instance | undefined) {
  if (known?.['state'] !== 'PLANNED' && known?.['state'] !== 'REFUSED') return;
  const tour = known['tour'] as Instance | undefined;
  if (tour) await data.update('dispatch_Tour', tour.id, { free: Number(tour['free']) + 1 });
  await data.update('dispatch_Shipment', known.id, { state: 'CANCELLED', tour: null });
}

const where = (property: string, operator: string, value: unknown) => ({ conditions: [{ property, operator, value }] });
