import { type Entity, entityOf, isSoftDeleted, type Model } from '@lintel/metadata';
import { utcText } from '@lintel/persistence';
import { formatEntityId, idOf, keyInSql, parseEntityId } from '@lintel/query';
import { prepareReadBack, readEach, unrecorded } from '@lintel/reading';
import type { HistoryReading } from './read-states.ts';

/** Instances of one entity that a response had, or a part of them. */
export interface AccessEntry {
  readonly id: string;
  /** UTC, with milliseconds. */
  readonly time: string;
  readonly user: string;
  /** The other user, with whose rights the user saw the instances. */
  readonly seenAs: string | null;
  readonly client: string | null;
  readonly session: string | null;
  /** The service that acted for the user. */
  readonly service: string | null;
  readonly trace: string | null;
  readonly operation: string;
  readonly entity: string;
  /** Null of values without ids. */
  readonly ids: readonly string[] | null;
  readonly count: number;
}

/** Which entries are listed: with this id, of this user; `from` is included, `to` is not. */
export type AccessFilter = Readonly<Record<'user' | 'id' | 'from' | 'to', string | undefined>>;

/** The time and id of an entry. */
type AccessPosition = readonly (string | null)[];

/** Statements of a page. */
const MAX_STATEMENTS = 5;

/**
 * Who has read instances of the entities, the latest first (contract/access-log.md#list). A caller with row-level
 * policies about an entity learns only of instances that are visible to the caller now.
 *
 * @param entities roots whose access log the caller may read; the only one with an id
 * @throws PlatformError REQ_INVALID_ENTITY_ID
 */
export async function listAccess(
  entities: readonly Entity[],
  filter: AccessFilter,
  { limit, before }: { readonly limit: number; readonly before: AccessPosition | undefined },
  reading: HistoryReading,
): Promise<{ readonly entries: readonly AccessEntry[]; readonly next: AccessPosition | undefined }> {
  const entries: AccessEntry[] = [];
  const [first] = entities;
  const id = filter.id === undefined || first === undefined ? undefined : pathId(reading.model, first, filter.id);
  // Further pages would reveal an instance that the caller may not see.
  if (id !== undefined && first !== undefined && isLimited(first, reading))
    if ((await visibleIds(first, [id], reading)).size === 0) return { entries, next: undefined };
  let next = before;
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const rows = await rowsOf(entities, { ...filter, id }, { limit, before: next }, reading);
    const shown = await shownOf(rows, reading);
    for (const [at, row] of rows.entries()) {
      next = [row.time, row.id];
      const entry = shown[at];
      if (entry !== undefined && entries.push(entry) === limit) return { entries, next };
    }
    if (rows.length < limit) return { entries, next: undefined };
  }
  return { entries, next };
}

/** An id as entries have it. */
const pathId = (model: Model, entity: Entity, text: string): string =>
  formatEntityId(model, entity, idOf(model, entity, parseEntityId(model, entity, text)));

function rowsOf(
  entities: readonly Entity[],
  { user, id, from, to }: AccessFilter,
  { limit, before }: { readonly limit: number; readonly before: AccessPosition | undefined },
  { runner, signal }: HistoryReading,
): Promise<readonly AccessEntry[]> {
  const values: unknown[] = [entities.map(({ name }) => name)];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const conditions = [
    'x.entity = wanted.entity',
    ...(user === undefined ? [] : [`x.username = ${parameter(user, 'text')}`]),
    ...(from === undefined ? [] : [`x.recorded_at >= ${parameter(from, 'timestamptz')}`]),
    ...(to === undefined ? [] : [`x.recorded_at < ${parameter(to, 'timestamptz')}`]),
    ...(before === undefined
      ? []
      : [`(x.recorded_at, x.id) < (${parameter(before[0], 'timestamptz')}, ${parameter(before[1], 'uuid')})`]),
    ...(id === undefined ? [] : [`x.ids @> ARRAY[${parameter(id, 'text')}]`]),
  ].join(' AND ');
  const order = (of: string): string => `ORDER BY ${of}.recorded_at DESC, ${of}.id DESC LIMIT ${limit}`;
  // Without OFFSET the planner would look for a rare id in the order of time.
  const text = `SELECT a.id, ${utcText('a.recorded_at')} AS "time", a.username AS "user", a.seen_as AS "seenAs",
  a.client_id AS client, a.session_id AS session, a.acting_service AS service, a.trace_id AS trace, a.operation, a.entity,
  a.ids, a.count
FROM unnest($1::text[]) wanted(entity) CROSS JOIN LATERAL (
  SELECT y.* FROM (SELECT x.* FROM history.access x WHERE ${conditions}${id === undefined ? '' : ' OFFSET 0'}) y ${order('y')}
) a ${order('a')}`;
  return runner.query<AccessEntry>({ text, values }, signal);
}

/** The entries with the ids that the caller may see; undefined for those without any. */
async function shownOf(
  rows: readonly AccessEntry[],
  reading: HistoryReading,
): Promise<readonly (AccessEntry | undefined)[]> {
  const visible = new Map<string, ReadonlySet<string>>();
  for (const [name, group] of Map.groupBy(rows, ({ entity }) => entity)) {
    const entity = entityOf(reading.model, name);
    if (!isLimited(entity, reading)) continue;
    visible.set(name, await visibleIds(entity, [...new Set(group.flatMap(({ ids }) => ids ?? []))], reading));
  }
  return rows.map((row) => {
    const known = visible.get(row.entity);
    if (known === undefined) return row;
    const ids = (row.ids ?? []).filter((id) => known.has(id));
    return ids.length === 0 ? undefined : { ...row, ids, count: ids.length };
  });
}

/** Whether row-level policies hide instances of the entity, or of its descendants, from the caller. */
const isLimited = ({ name, descendants }: Entity, reading: HistoryReading): boolean => {
  const { rows, predicates } = reading.access.read.entity(name);
  return (
    rows !== undefined ||
    predicates.length > 0 ||
    descendants.some((below) => isLimited(entityOf(reading.model, below), reading))
  );
};

async function visibleIds(
  entity: Entity,
  ids: readonly string[],
  { model, access, deps, runner, signal }: HistoryReading,
): Promise<ReadonlySet<string>> {
  const deleted = isSoftDeleted(entity) ? 'with' : undefined;
  const read = prepareReadBack(
    entity,
    undefined,
    unrecorded(access),
    { ...deps, currentModel: () => model },
    { deleted },
  );
  if (read === undefined || ids.length === 0) return new Set();
  const keys = ids.map((id) => keyInSql(model, entity, parseEntityId(model, entity, id)));
  const found = await readEach(read, keys, runner, signal);
  return new Set(ids.filter((_, at) => found.has(at)));
}
