import type { Entity, Model } from '@lintel/metadata';
import { formatEntityId, readExactJson } from '@lintel/query';
import { currentOperation } from '@lintel/telemetry';
import type { InstancesRead, Reader } from './create-access-log.ts';
import type { Disclosure } from './disclosure.ts';

/** The access of a caller, as far as it concerns the access log. */
interface Recording {
  readonly reader?: Reader | undefined;
}

/** A read that is executed with an access. */
interface RecordedRead {
  readonly compiled: { readonly disclosed?: Disclosure | undefined };
  readonly access: Recording;
  readonly parsed: { readonly deleted?: unknown };
  readonly model: Model;
}

/** An access whose reads are not recorded: their results are shown to no user. */
export const unrecorded = <A extends Recording>(access: A): A => ({ ...access, reader: undefined });

/** An access whose reads are recorded with another operation than the one of the request. */
export const readIn = <A extends Recording>(access: A, operation: string): A =>
  access.reader === undefined ? access : { ...access, reader: { ...access.reader, operation } };

/** Operations that can read deleted instances. */
const OF_BIN: ReadonlySet<string | undefined> = new Set(['read', 'list', 'search']);

/**
 * Records the instances in the JSON of rows before it is passed on; nothing to wait for where none of them has an
 * access log.
 */
export function noteRead(
  { compiled, access: { reader }, parsed, model }: RecordedRead,
  rows: readonly string[],
): Promise<void> | undefined {
  const { disclosed } = compiled;
  if (disclosed === undefined || reader === undefined || rows.length === 0) return undefined;
  const isOfBin = parsed.deleted !== undefined && OF_BIN.has(reader.operation ?? currentOperation());
  return reader.log.add(isOfBin ? { ...reader, operation: 'bin' } : reader, instancesIn(model, disclosed, rows));
}

/** The beginning of an object with an id that is a text. Reading it takes a fraction of the time of parsing the row. */
const IDENTITY = /^\{"_entityName":"[^"\\]*"(?:,"_instanceName":(?:null|"(?:[^"\\]|\\.)*"))?,"id":"([^"\\]*)"/;

/** The ids of rows that have nothing else to record; undefined if one must be parsed. */
function idsOf({ entity, members }: Disclosure, rows: readonly string[]): readonly string[] | undefined {
  if (entity === undefined || members.length > 0) return undefined;
  const ids = new Set<string>();
  for (const row of rows) {
    const id = IDENTITY.exec(row)?.[1];
    if (id === undefined) return undefined;
    ids.add(id);
  }
  return [...ids];
}

function instancesIn(model: Model, disclosed: Disclosure, rows: readonly string[]): readonly InstancesRead[] {
  if (disclosed.values !== undefined)
    return disclosed.values.map(({ name }) => ({ entity: name, ids: undefined, count: rows.length }));
  const ids = idsOf(disclosed, rows);
  if (ids !== undefined) return [{ entity: disclosed.entity?.name ?? '', ids, count: ids.length }];
  const found = new Map<Entity, Set<string>>();
  const parse: (json: string) => unknown = disclosed.isExact ? readExactJson : JSON.parse;
  for (const row of rows) collect(model, disclosed, parse(row), found);
  return [...found].map(([{ name }, ids]) => ({ entity: name, ids: [...ids], count: ids.size }));
}

function collect(model: Model, at: Disclosure, json: unknown, found: Map<Entity, Set<string>>): void {
  if (Array.isArray(json)) for (const item of json) collect(model, at, item, found);
  else if (typeof json === 'object' && json !== null) {
    const members = json as Readonly<Record<string, unknown>>;
    if (at.entity !== undefined && members['id'] !== undefined) {
      const ids = found.get(at.entity) ?? new Set();
      found.set(at.entity, ids.add(formatEntityId(model, at.entity, members['id'])));
    }
    for (const [name, below] of at.members) collect(model, below, members[name], found);
  }
}
