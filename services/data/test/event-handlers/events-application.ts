import {
  type ApplicationData,
  defineApplication,
  entityListener,
  event,
  job,
  onEvent,
  restMethod,
  service,
  t,
  ValidationError,
} from '@lintel/application';
import { boolean, enumeration, enumOf, standardEntity, string } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy } from '@lintel/security';
import { currentTraceId } from '@lintel/telemetry';

/** Texts of the handlers, in this process. */
export const done: string[] = [];

/** What a handler of `e.noted.v1` does with a text. */
export const faults = new Map<string, (data: ApplicationData) => unknown>();

export const noted = event<{ text: string }>('e.noted.v1', {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string' } },
});

const STATUS = enumeration('e.Status', { NEW: 'N', CONFIRMED: 'C' });

const KEEPER = { resourceRoles: ['e-notes'] };

/** An application whose handlers write copies of notes. */
export const eventsApplication = defineApplication({
  id: 'e',
  name: 'Events',
  entities: [
    standardEntity('e_Note', { attributes: { text: string(100), status: enumOf(STATUS), urgent: boolean() } }),
    standardEntity('e_Copy', { attributes: { text: string(100).unique() } }),
    standardEntity('e_Secret', { attributes: { text: string(100) } }),
  ],
  enums: [STATUS],
  roles: [
    resourceRole('e-notes', {
      name: 'Notes',
      policies: [
        specificPolicy('rest.enabled'),
        entityPolicy('e_Note', 'all'),
        modifyAttributes('e_Note', '*'),
        entityPolicy('e_Copy', 'all'),
        modifyAttributes('e_Copy', '*'),
      ],
    }),
  ],
  events: [noted],
  listeners: [
    entityListener({
      entity: 'e_Note',
      async afterSave({ id, after }, { data }) {
        const text = String(after?.['text']);
        await data.events.publish(noted, `e_Note/${id}`, { text });
        if (text === 'refused') throw new ValidationError('refused');
      },
    }),
  ],
  services: [
    service('e_Events', {
      publish: restMethod(
        { params: { subject: t.string, text: t.any }, methods: ['POST'] },
        ({ subject, text }, { data }) => data.events.publish(noted, subject, { text: text as string }),
      ),
      fail: restMethod({ methods: ['POST'] }, (_parameters, { data }) =>
        data.inTransaction(async (inside) => {
          await inside.events.publish(noted, 's', { text: 'rolled back' });
          throw new ValidationError('no');
        }),
      ),
    }),
  ],
  jobs: [
    job<{ text: string }>('publish', { as: KEEPER, overlap: true }, ({ args, data }) =>
      data.events.publish(noted, 'job', { text: args.text }),
    ),
  ],
  eventHandlers: [
    onEvent(
      noted,
      { name: 'copy', as: KEEPER, retries: 2, timeout: 1 },
      async ({ event: { subject, data: values, attempt }, data }) => {
        done.push(`copy ${values.text} ${attempt}`);
        await data.create('e_Copy', { text: `${subject} ${values.text}` });
        await faults.get(values.text)?.(data);
      },
    ),
    onEvent(noted, { name: 'as-user', as: 'writer', retries: 0 }, ({ event, data }) =>
      event.data.text === 'by a user' ? data.create('e_Copy', { text: 'of the user' }) : undefined,
    ),
    onEvent(noted, { name: 'trace', as: KEEPER }, ({ event }) => {
      if (event.data.text === 'traced') done.push(`trace ${currentTraceId()}`);
    }),
    onEvent({ entity: 'e_Copy', changes: ['deleted'] }, { name: 'deletions', as: KEEPER }, ({ event }) => {
      done.push(`${event.data.change} ${event.subject}`);
    }),
    onEvent({ entity: 'e_Note', became: { status: 'CONFIRMED' } }, { name: 'confirmed', as: KEEPER }, ({ event }) => {
      done.push(`confirmed ${event.subject} ${event.data.change}`);
    }),
    onEvent(
      { entity: 'e_Note', changes: ['updated'], became: { status: 'CONFIRMED', urgent: true } },
      { name: 'urgent', as: KEEPER },
      ({ event }) => void done.push(`urgent ${event.subject}`),
    ),
  ],
});
