import { event, onEvent } from '@lintel/application';

export const carReady = event<{ plate: string }>('garage.car-ready.v1', {
  type: 'object',
  required: ['plate'],
  properties: { plate: { type: 'string' } },
});

/** Notifies other systems that a car can be fetched, when its job becomes done. */
export const announceCarReady = onEvent(
  { entity: 'garage_Job', became: { status: 'DONE' } },
  { name: 'car-ready', as: { resourceRoles: ['garage-desk'] } },
  async ({ event: { subject, data: change }, data }) => {
    const fetchPlan = { entity: 'garage_Job', properties: [{ name: 'car', fetchPlan: { properties: ['plate'] } }] };
    const job = await data.load('garage_Job', change.id, { fetchPlan });
    const car = job?.['car'] as { readonly plate: string } | undefined;
    if (car !== undefined) await data.events.publish(carReady, subject, { plate: car.plate });
  },
);
