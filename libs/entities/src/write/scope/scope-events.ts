import { type Application, checkJson, type OwnEvent } from '@lintel/application';
import type { Envelope } from '@lintel/contracts';
import { PlatformError, suggestion } from '@lintel/errors';
import { isStorableJson } from '@lintel/persistence';
import { traceparentOf } from '@lintel/telemetry';
import type { WriteScope } from './write-scope.ts';

/** The events of the application, as writes publish them. */
export interface ScopeEvents {
  /** `source` of the envelopes. */
  readonly source: string;
  readonly byType: ReadonlyMap<string, OwnEvent>;
  /** URL before the type in `dataschema`; undefined if there is no server. */
  readonly schemas?: string | undefined;
}

/** Consumers of CloudEvents need not accept larger events than 64 KiB; these are for consumers that do. */
const MAX_DATA_LENGTH = 256 * 1024;
const MAX_SUBJECT_LENGTH = 1_000;

export const createScopeEvents = (
  { id, events = [] }: Pick<Application, 'id' | 'events'>,
  schemas?: string,
): ScopeEvents => ({
  schemas,
  source: `/${id}`,
  byType: new Map(events.map((event) => [event.type, event])),
});

/**
 * Appends an event of the application to the events of the transaction; returns its id.
 *
 * @throws RangeError for an event that is not declared, or that does not match its declaration
 * @throws PlatformError DATA_VALIDATION_FAILED for a character that readers of the outbox cannot read
 */
export function publishOwnEvent(
  { events: { source, byType, schemas }, changes, ids, now }: Pick<WriteScope, 'events' | 'changes' | 'ids' | 'now'>,
  type: string,
  subject: string,
  data: unknown,
): string {
  const declared = byType.get(type);
  if (declared === undefined) throw new RangeError(`There is no event ${type}${suggestion(type, byType.keys())}`);
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_LENGTH)
    throw new RangeError(`Event ${type}: its subject must have 1 to ${MAX_SUBJECT_LENGTH} characters`);
  const json = JSON.stringify(data);
  if (json === undefined) throw new RangeError(`Event ${type}: its data is no value of JSON`);
  if (json.length > MAX_DATA_LENGTH)
    throw new RangeError(`Event ${type}: its data is longer than ${MAX_DATA_LENGTH} characters`);
  if (!isStorableJson(JSON.stringify(subject) + json))
    throw new PlatformError(
      'DATA_VALIDATION_FAILED',
      `Event ${type}: a text contains a character that cannot be stored`,
    );
  const value: unknown = JSON.parse(json);
  const violation = checkJson(declared.schema, value);
  if (violation !== undefined) throw new RangeError(`Event ${type}: data${violation.path} ${violation.problem}`);
  const id = ids.next();
  const traceparent = traceparentOf();
  const envelope: Envelope = {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: `${now}Z`,
    datacontenttype: 'application/json',
    ...(schemas === undefined ? {} : { dataschema: `${schemas}${type}` }),
    ...(traceparent === undefined ? {} : { traceparent }),
    data: value,
  };
  changes.ownEvents.push({ id, type, subject, envelope });
  return id;
}
