import { type Entity, type HistoryNode, historyOf, type Model, quoteTable, valueSourceOf } from '@lintel/metadata';
import type { Database, Transaction } from '@lintel/persistence';

/** Entries that one statement deletes: statements of services have a time limit. */
const BATCH = 10_000;

interface Cutoff {
  readonly source: string;
  readonly cutoff: string;
}

/**
 * A record: the table with its entries, the column that names what they are about, the columns of an index that finds one
 * of them, and what is dropped with a month.
 */
interface Recorded {
  readonly table: 'entry' | 'access';
  readonly column: 'source' | 'entity';
  readonly found: readonly string[];
  readonly tables: readonly string[];
}

const CHANGES: Recorded = {
  table: 'entry',
  column: 'source',
  found: ['source', 'key', 'id'],
  tables: ['entry', 'change'],
};
const ACCESS: Recorded = { table: 'access', column: 'entity', found: ['id', 'recorded_at'], tables: ['access'] };

/** Changes and reads that were deleted. */
export interface Pruned {
  /** Months that were dropped, such as `2024_11`. */
  readonly months: readonly string[];
  readonly entries: number;
}

/** Which changes and reads are deleted. */
export interface PruneOptions {
  /** The entities, which have a retention. */
  readonly entities: readonly Entity[];
  /** The time since which they stay, instead of the retention. */
  readonly olderThan?: Date | undefined;
  /** They are only counted. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** The entities of which changes or reads are deleted some time. */
export const entitiesWithRetention = ({ entities }: Pick<Model, 'entities'>): readonly Entity[] =>
  [...entities.values()].filter(({ history, accessLog }) => (history?.retention ?? accessLog?.retention) !== undefined);

/**
 * Deletes recorded changes and reads that are past: whole months where everything is, other entries by what they are about
 * (contract/history.md#retention).
 */
export async function pruneHistory(
  database: Database,
  model: Model,
  { entities, olderThan, isDryRun = false, signal }: PruneOptions,
): Promise<Pruned> {
  const run = isDryRun ? count : prune;
  const changes = await run(
    database,
    CHANGES,
    await cutoffsOf(database, changesOf(model, entities), olderThan),
    signal,
  );
  const reads = await run(database, ACCESS, await cutoffsOf(database, readsOf(entities), olderThan), signal);
  return {
    months: [...new Set([...changes.months, ...reads.months])].sort(),
    entries: changes.entries + reads.entries,
  };
}

const sourcesOf = (model: Model, entity: Entity): readonly string[] => sourcesIn(historyOf(model, entity));

/** Whether there are dynamic attributes is in the database. */
const sourcesIn = ({ entity, tables, sides, children }: HistoryNode): readonly string[] => [
  ...[...tables, ...sides].map(({ schema, name }) => `${schema}.${name}`),
  valueSourceOf(entity),
  ...children.flatMap(({ node }) => sourcesIn(node)),
];

/** Retentions of what entries are about; null where it has none. `chosen` are the sources of the named entities. */
interface Retentions {
  readonly all: readonly (readonly [source: string, retention: string | null])[];
  readonly chosen: readonly string[];
}

const changesOf = (model: Model, named: readonly Entity[]): Retentions => ({
  all: [...model.entities.values()].flatMap((entity) =>
    entity.history === undefined
      ? []
      : sourcesOf(model, entity).map((source) => [source, entity.history?.retention ?? null] as const),
  ),
  chosen: named.flatMap((entity) => (entity.history === undefined ? [] : sourcesOf(model, entity))),
});

const readsOf = (named: readonly Entity[]): Retentions => ({
  all: named.map(({ name, accessLog }) => [name, accessLog?.retention ?? null]),
  chosen: named.map(({ name }) => name),
});

/** The time from which on entries stay: a table of several entities is kept for the longest time. */
async function cutoffsOf(
  database: Database,
  { all, chosen }: Retentions,
  olderThan: Date | undefined,
): Promise<readonly Cutoff[]> {
  const text = `SELECT source, min(coalesce($3::timestamptz, now() - retention::interval))::text AS cutoff
FROM unnest($1::text[], $2::text[]) u(source, retention) WHERE source = ANY ($4::text[])
GROUP BY source HAVING bool_and(retention IS NOT NULL)`;
  const [sources, retentions] = [all.map(([source]) => source), all.map(([, retention]) => retention)];
  return database.query({ text, values: [sources, retentions, olderThan?.toISOString() ?? null, chosen] });
}

const LAST_CUTOFF = '(SELECT max(u.cutoff) FROM unnest($2::timestamptz[]) u(cutoff))';
/** The second condition alone chooses partitions. */
const past = ({ table, column }: Recorded): string =>
  `history.${table} e JOIN unnest($1::text[], $2::timestamptz[]) s(source, cutoff)
  ON s.source = e.${column} AND e.recorded_at < s.cutoff AND e.recorded_at < ${LAST_CUTOFF}`;
const valuesOf = (cutoffs: readonly Cutoff[]) => [
  cutoffs.map(({ source }) => source),
  cutoffs.map(({ cutoff }) => cutoff),
];

async function count(database: Database, recorded: Recorded, cutoffs: readonly Cutoff[]): Promise<Pruned> {
  const text = `SELECT count(*)::int AS entries FROM ${past(recorded)}`;
  const [row] = await database.query<{ readonly entries: number }>({ text, values: valuesOf(cutoffs) });
  return { months: [], entries: row?.entries ?? 0 };
}

async function prune(
  database: Database,
  recorded: Recorded,
  cutoffs: readonly Cutoff[],
  signal?: AbortSignal,
): Promise<Pruned> {
  const months: string[] = [];
  let entries = 0;
  for (const month of await monthsBefore(database, recorded, cutoffs)) {
    signal?.throwIfAborted();
    const dropped = await dropMonth(database, recorded, month, cutoffs);
    if (dropped === undefined) continue;
    months.push(month);
    entries += dropped;
  }
  for (let deleted = BATCH; deleted === BATCH; entries += deleted) {
    signal?.throwIfAborted();
    deleted = await database.transaction((transaction) => pruneBatch(transaction, recorded, cutoffs));
  }
  return { months, entries };
}

/** Deletes some entries, and the changes that have no other. */
async function pruneBatch(transaction: Transaction, recorded: Recorded, cutoffs: readonly Cutoff[]): Promise<number> {
  const { table, found } = recorded;
  const change = table === 'entry' ? 'change_id' : 'NULL::uuid';
  const text = `WITH past AS (SELECT ${found.map((name) => `e.${name}`).join(', ')} FROM ${past(recorded)} LIMIT ${BATCH}), gone AS (
  DELETE FROM history.${table} e USING past p WHERE ${found.map((name) => `e.${name} = p.${name}`).join(' AND ')}
  RETURNING ${change} AS change, e.recorded_at)
SELECT change, recorded_at::text AS time, count(*)::int AS entries FROM gone GROUP BY 1, 2`;
  const gone = await transaction.query<{ readonly change: string; readonly time: string; readonly entries: number }>({
    text,
    values: valuesOf(cutoffs),
  });
  if (table === 'entry' && gone.length > 0) {
    const orphans = `DELETE FROM history.change c USING unnest($1::uuid[], $2::timestamptz[]) o(id, recorded_at)
WHERE c.id = o.id AND c.recorded_at = o.recorded_at
  AND NOT EXISTS (SELECT FROM history.entry e WHERE e.change_id = c.id AND e.recorded_at = c.recorded_at)`;
    const values = [gone.map(({ change: id }) => id), gone.map(({ time }) => time)];
    await transaction.query({ text: orphans, values });
  }
  return gone.reduce((sum, each) => sum + each.entries, 0);
}

/** Months with partitions that end before the last cutoff, the oldest first. */
async function monthsBefore(
  database: Database,
  { table }: Recorded,
  cutoffs: readonly Cutoff[],
): Promise<readonly string[]> {
  const text = `SELECT right(p.relname, 7) AS month FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
WHERE i.inhparent = 'history.${table}'::regclass AND p.relname ~ '^${table}_\\d{4}_\\d\\d$' AND ${END('right(p.relname, 7)')} <=
  (SELECT max(u.cutoff) FROM unnest($1::timestamptz[]) u(cutoff)) ORDER BY 1`;
  const rows = await database.query<{ readonly month: string }>({ text, values: valuesOf(cutoffs).slice(1) });
  return rows.map(({ month }) => month);
}

/** The end of a month such as `2024_11`, in SQL. */
const END = (month: string): string =>
  `(to_timestamp(${month} || ' +00', 'YYYY_MM TZH') AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'`;

/** Drops a month in which every entry is past; undefined if one stays. */
async function dropMonth(
  database: Database,
  { column, tables }: Recorded,
  month: string,
  cutoffs: readonly Cutoff[],
): Promise<number | undefined> {
  const dropped = tables.map((name) => quoteTable({ schema: 'history', name: `${name}_${month}` }));
  return database.transaction(async (transaction) => {
    // A long transaction would block this one, and this one all writes.
    await transaction.query({ text: `SET LOCAL lock_timeout = '5s'`, values: [] });
    await transaction.query({ text: `SELECT pg_advisory_xact_lock(hashtext('history.make_partitions'))`, values: [] });
    const text = `SELECT count(*)::int AS entries, count(*) FILTER (WHERE s.source IS NULL)::int AS others FROM ${dropped[0]} e
LEFT JOIN unnest($1::text[], $2::timestamptz[]) s(source, cutoff) ON s.source = e.${column} AND s.cutoff >= ${END('$3::text')}`;
    const [row] = await transaction.query<{ readonly entries: number; readonly others: number }>({
      text,
      values: [...valuesOf(cutoffs), month],
    });
    if (row === undefined || row.others > 0) return undefined;
    await transaction.query({ text: `DROP TABLE ${dropped.join(', ')}`, values: [] });
    return row.entries;
  });
}
