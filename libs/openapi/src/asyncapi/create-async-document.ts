import { type Application, isOwnEvent } from '@lintel/application';
import { EVENTS, type EventSchema, envelopeSchema, eventSchema } from '@lintel/contracts';
import { LINTEL_VERSION } from '@lintel/http';
import type { JsonSchema } from '@lintel/metadata';

type AsyncApplication = Pick<Application, 'id' | 'name' | 'version' | 'events' | 'eventHandlers'>;

/** The members of a document in which other programs find the schemas of events. */
export interface AsyncDocument {
  readonly asyncapi: '3.0.0';
  readonly components: { readonly messages: object; readonly schemas: Readonly<Record<string, EventSchema>> };
  readonly [member: string]: unknown;
}

/** An event at the broker. */
interface Published {
  readonly type: string;
  readonly schema: EventSchema;
  readonly summary?: string;
}

/** Name of the form of every event; no type has this name, because types end with a version. */
const ENVELOPE = 'CloudEvent';
const CHANGED = 'data.entity.changed.v1';

/**
 * Describes in AsyncAPI 3.0 what the application and the platform publish at the broker, and which of it the handlers of
 * the application receive. `components.schemas` has the schema of each type's data under the type.
 *
 * @param mayRead the events of the application that are described, with their handlers; all by default
 */
export function createAsyncDocument(
  { name, version, events: declared = [], eventHandlers = [] }: AsyncApplication,
  mayRead: (type: string) => boolean = () => true,
): AsyncDocument {
  const events = declared.filter(({ type }) => mayRead(type));
  const handlers = eventHandlers.filter(({ on }) => mayRead(isOwnEvent(on) ? on.type : CHANGED));
  const published: readonly Published[] = [
    ...events.map(({ type, schema }) => ({ type, schema: withinComponents(type, schema) })),
    ...Object.entries(EVENTS).map(([type, { schema, publishedWhen }]) => ({
      type,
      schema: eventSchema(schema),
      summary: `Published when ${publishedWhen}`,
    })),
  ];
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${name}: events`,
      version: version ?? '0.0.0',
      description: 'Events at RabbitMQ, as CloudEvents 1.0 in JSON.',
      'x-lintel-version': LINTEL_VERSION,
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(published.map(({ type }) => [type, channelOf(type)])),
    operations: {
      ...Object.fromEntries(published.map(({ type }) => [`send.${type}`, operationOf('send', type)])),
      ...Object.fromEntries(
        handlers.map(({ on, options }) => [
          `receive.${options.name}`,
          operationOf('receive', isOwnEvent(on) ? on.type : CHANGED),
        ]),
      ),
    },
    components: {
      messages: Object.fromEntries(published.map((event) => [event.type, messageOf(event)])),
      schemas: {
        [ENVELOPE]: withoutDialect(eventSchema(envelopeSchema)),
        ...Object.fromEntries(published.map(({ type, schema }) => [type, withoutDialect(schema)])),
      },
    },
  };
}

const channelOf = (type: string) => ({
  address: type,
  messages: { event: { $ref: `#/components/messages/${type}` } },
  bindings: {
    amqp: {
      is: 'routingKey',
      exchange: { name: `${type.split('.', 1)[0]}.events`, type: 'topic', durable: true, autoDelete: false },
      bindingVersion: '0.3.0',
    },
  },
});

const operationOf = (action: 'send' | 'receive', type: string) => ({
  action,
  channel: { $ref: `#/channels/${type}` },
  messages: [{ $ref: `#/channels/${type}/messages/event` }],
});

const messageOf = ({ type, summary }: Published) => ({
  name: type,
  ...(summary === undefined ? {} : { summary }),
  contentType: 'application/cloudevents+json',
  payload: {
    allOf: [
      { $ref: `#/components/schemas/${ENVELOPE}` },
      {
        type: 'object',
        required: ['data'],
        properties: { type: { const: type }, data: { $ref: `#/components/schemas/${type}` } },
      },
    ],
  },
});

/** The document decides the dialect. */
const withoutDialect = ({ $schema: _dialect, ...schema }: EventSchema): EventSchema => schema;

/** References into a schema lead from the root of the document. */
function withinComponents(type: string, schema: JsonSchema): EventSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#')
      ? `#/components/schemas/${type}${value.slice(1)}`
      : value,
  );
  return JSON.parse(text) as EventSchema;
}
