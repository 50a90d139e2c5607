import { type Envelope, EVENTS, type EventData, type EventType, ownerOf } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { isoTime } from '@lintel/telemetry';

export interface EnvelopeParts<T extends EventType> {
  /** The service that publishes. Only the owner of a type does. */
  readonly owner: string;
  readonly type: T;
  /** The subject of the event; events of one subject are handled in the order of their publication. */
  readonly subject?: string | undefined;
  readonly data: EventData<T>;
  /** Unique among all events: consumers recognise a repeated delivery by it. */
  readonly id: string;
  readonly time: Date;
  /** W3C trace context of the change. */
  readonly traceparent?: string | undefined;
}

/**
 * A CloudEvents 1.0 envelope whose data matches the schema of its type.
 *
 * @throws PlatformError INTERNAL_ERROR when the owner, the id or the data is wrong: that is a bug of the publisher
 */
export function createEnvelope<T extends EventType>(parts: EnvelopeParts<T>): Envelope {
  if (ownerOf(parts.type) !== parts.owner) {
    throw refused(`Service ${parts.owner} does not own the event type ${parts.type}`);
  }
  if (parts.id === '') throw refused(`An event ${parts.type} has no id`);
  const data = EVENTS[parts.type].schema.safeParse(parts.data);
  if (!data.success) throw refused(`The data of an event ${parts.type} does not match its schema`, data.error);
  // Created here, so its form needs no check.
  return {
    specversion: '1.0',
    id: parts.id,
    source: `/lintel/${parts.owner}`,
    type: parts.type,
    ...(parts.subject === undefined ? {} : { subject: parts.subject }),
    time: isoTime(parts.time.getTime()),
    datacontenttype: 'application/json',
    ...(parts.traceparent === undefined ? {} : { traceparent: parts.traceparent }),
    data: data.data,
  };
}

function refused(text: string, cause?: unknown): PlatformError {
  return new PlatformError('INTERNAL_ERROR', '', { cause: new Error(text, { cause }) });
}
