import type { EventData } from '@lintel/contracts';
import { type Entity, familyOf, type Model } from '@lintel/metadata';
import type { PublishedEvent } from '@lintel/persistence';
import { hasCompositeKey, keyPartsOf, type LiteralType, parseEntityId } from '@lintel/query';
import { parseTraceparent } from '@lintel/telemetry';

/** Type of the event that is published for each changed instance. */
export const CHANGE_TYPE = 'data.entity.changed.v1';

/** A published change of an instance. */
export interface EntityChange {
  /** Number of its event among all published events. */
  readonly sequence: number;
  /** Name of the concrete entity. */
  readonly entity: string;
  /** The id in the form of a path. */
  readonly id: string;
  readonly kind: 'created' | 'updated' | 'deleted';
  /** Names of the changed attributes; empty for a deletion. */
  readonly attributes: readonly string[];
  /** New values of enumerations and booleans. */
  readonly became?: Readonly<Record<string, unknown>> | undefined;
  /** The request that has made it, and its user; absent if there was none. */
  readonly origin?: { readonly username: string; readonly traceId: string } | undefined;
}

/** The change in an event of the type `CHANGE_TYPE`. */
export function changeOf({ sequence, subject, data, became, traceparent }: PublishedEvent): EntityChange {
  const { entity, change, attributes, by } = data as EventData<typeof CHANGE_TYPE>;
  const trace = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  const origin = trace && { username: by, traceId: trace.traceId };
  return { sequence, entity, id: subject.slice(entity.length + 1), kind: change, attributes, became, origin };
}

/**
 * The id as the entity API writes it, as JSON: a number for integer keys, an object for composite ones, else a text
 * (contract/decisions.md#7). Digits are copied, so that numbers stay exact.
 *
 * @param id in the form of a path
 */
export function idJson(model: Model, entity: Entity, id: string): string {
  const values = parseEntityId(model, entity, id);
  const isComposite = hasCompositeKey(entity);
  const parts = keyPartsOf(model, entity).map(({ name, type }, at) => {
    const json = isNumber(type, isComposite) ? String(values[at]) : JSON.stringify(values[at]);
    return isComposite ? `${JSON.stringify(name)}:${json}` : json;
  });
  return isComposite ? `{${parts.join(',')}}` : parts.join('');
}

function isNumber(type: LiteralType, isComposite: boolean): boolean {
  if (type.kind !== 'datatype') return false;
  const family = familyOf(type.datatype);
  return family === 'integer' || (isComposite && (family === 'decimal' || family === 'floating'));
}
