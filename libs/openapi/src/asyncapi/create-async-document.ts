import { type Application, isEvent, type OwnEvent } from '@lintel/application';
import { EVENTS, type EventSchema, envelopeSchema, eventSchema, ownerOf } from '@lintel/contracts';
import { LINTEL_VERSION } from '@lintel/http';
import type { JsonSchema } from '@lintel/metadata';

type AsyncApplication = Pick<Application, 'id' | 'name' | 'version' | 'events' | 'eventHandlers'>;

/** The members of a document in which other programs find the schemas of events. */
export interface AsyncDocument {
  readonly asyncapi: '3.0.0';
  readonly operations: Readonly<Record<string, object>>;
  readonly components: {
    readonly messages: Readonly<Record<string, AsyncMessage>>;
    readonly schemas: Readonly<Record<string, EventSchema>>;
  };
  readonly [member: string]: unknown;
}

/** The second part of the form has the constants of the type. */
interface AsyncMessage {
  readonly payload: {
    readonly allOf: readonly {
      readonly properties?: Readonly<Record<string, { readonly const?: string; readonly $ref?: string }>>;
      readonly [member: string]: unknown;
    }[];
  };
}

/** An event at the broker. */
interface Described {
  readonly type: string;
  readonly schema: EventSchema;
  readonly source: string;
  readonly summary?: string;
}

/** Name of the form of every event; no type has this name, because types end with a version. */
const ENVELOPE = 'CloudEvent';
const CHANGED = 'data.entity.changed.v1';

/**
 * Describes in AsyncAPI 3.0 what the application and the platform publish at the broker, and what the handlers of the
 * application receive, also from other applications. `components.schemas` has the schema of each type's data under the type.
 *
 * @param mayRead the events of applications that are described, with their handlers; all by default
 */
export function createAsyncDocument(
  { id, name, version, events: declared = [], eventHandlers = [] }: AsyncApplication,
  mayRead: (type: string) => boolean = () => true,
): AsyncDocument {
  const events = declared.filter(({ type }) => mayRead(type));
  const handlers = eventHandlers.filter(({ on }) => mayRead(isEvent(on) ? on.type : CHANGED));
  const described = ({ type, schema, source = `/${id}` }: OwnEvent) => ({
    type,
    source,
    schema: withinComponents(type, schema),
  });
  const received = handlers.flatMap(({ on }) => (isEvent(on) && on.source !== undefined ? [described(on)] : []));
  const published: readonly Described[] = [
    ...events.map(described),
    ...Object.entries(EVENTS).map(([type, { schema, publishedWhen }]) => ({
      type,
      source: `/lintel/${ownerOf(type)}`,
      schema: eventSchema(schema),
      summary: `Published when ${publishedWhen}`,
    })),
  ];
  const all = [...published, ...received];
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${name}: events`,
      version: version ?? '0.0.0',
      description: 'Events at RabbitMQ, as CloudEvents 1.0 in JSON.',
      'x-lintel-version': LINTEL_VERSION,
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(all.map(({ type }) => [type, channelOf(type)])),
    operations: {
      ...Object.fromEntries(published.map(({ type }) => [`send.${type}`, operationOf('send', type)])),
      ...Object.fromEntries(
        handlers.map(({ on, options }) => [
          `receive.${options.name}`,
          operationOf('receive', isEvent(on) ? on.type : CHANGED),
        ]),
      ),
    },
    components: {
      messages: Object.fromEntries(all.map((event) => [event.type, messageOf(event)])),
      schemas: {
        [ENVELOPE]: withoutDialect(eventSchema(envelopeSchema)),
        ...Object.fromEntries(all.map(({ type, schema }) => [type, withoutDialect(schema)])),
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
      exchange: { name: `${ownerOf(type)}.events`, type: 'topic', durable: true, autoDelete: false },
      bindingVersion: '0.3.0',
    },
  },
});

const operationOf = (action: 'send' | 'receive', type: string) => ({
  action,
  channel: { $ref: `#/channels/${type}` },
  messages: [{ $ref: `#/channels/${type}/messages/event` }],
});

const messageOf = ({ type, source, summary }: Described): AsyncMessage & Record<string, unknown> => ({
  name: type,
  ...(summary === undefined ? {} : { summary }),
  contentType: 'application/cloudevents+json',
  payload: {
    allOf: [
      { $ref: `#/components/schemas/${ENVELOPE}` },
      {
        type: 'object',
        required: ['data'],
        properties: {
          type: { const: type },
          source: { const: source },
          data: { $ref: `#/components/schemas/${type}` },
        },
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
