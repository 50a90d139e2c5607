import { defineApplication, event } from '@lintel/application';

/** An application that publishes an event. */
export default defineApplication({
  id: 'clinic',
  name: 'Clinic',
  entities: [],
  events: [
    event('clinic.visit-confirmed.v1', {
      type: 'object',
      required: ['visit'],
      properties: { visit: { type: 'string' }, note: { type: 'string' } },
    }),
  ],
});
