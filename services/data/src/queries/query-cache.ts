import type { PredefinedQueries } from '@lintel/application';
import { CacheEntries, type CacheMeter, declareCache, type InvalidatedCache, type OwnWrites } from '@lintel/cache';
import type { Envelope } from '@lintel/contracts';
import { type Entity, familyTreeOf, lineageOf, type Model, quoteTable, tableOf } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { ReadDatabase } from '@lintel/reading';
import type { Clock } from '@lintel/timing';

/** A larger result is not cached. */
const MAX_CHARACTERS = 1_000_000;

const QUERIES = declareCache({
  name: 'queries',
  holds: 'the rows that a statement of a `cacheable` predefined query returned',
  where: ['data'],
  keyedBy: 'statement and values, which include the caller’s roles and attributes',
  maxEntries: 20_000,
  maxSize: { max: 32_000_000, unit: 'characters' },
  // Drops results whose statement reads the table of the entity; this process drops them at the commit of a change, too.
  invalidatedBy: ['data.entity.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age, then 503',
});

/** Functions of the current time: such a statement has a different result each time. */
const CURRENT_TIME = /\bnow\(\)/;

interface CachedResult {
  readonly text: string;
  readonly rows: readonly object[];
}

export interface QueryCacheOptions {
  readonly model: Model;
  readonly clock: Clock;
  readonly maxStalenessMs: number;
  /** The application, for its queries. */
  readonly application?: { readonly predefinedQueries: PredefinedQueries };
  /** Makes writers in all processes wait until results of what they changed are dropped. */
  readonly ownWrites?: OwnWrites | undefined;
}

interface CurrentRead {
  readonly text: string;
  /** An entity of the statement changed after the read began. */
  isOutdated: boolean;
}

/**
 * Results of `cacheable` queries, by statement and values. These contain everything that determines a result: the
 * query, its parameters, the page, the caller's roles and attributes. An entry is dropped when an instance changes
 * whose table the statement reads, also in a policy, or when it reaches the maximum age.
 */
export class QueryCache implements InvalidatedCache {
  readonly declaration = QUERIES;
  readonly meter: CacheMeter;
  readonly #results: CacheEntries<string, CachedResult>;
  readonly #options: QueryCacheOptions;
  /** Whether the application has cacheable queries. */
  readonly isUsed: boolean;
  /** Running reads. Their results may lack changes that happen meanwhile. */
  readonly #reads = new Set<CurrentRead>();

  constructor(options: QueryCacheOptions) {
    this.#options = options;
    const queries = [...(options.application?.predefinedQueries.values() ?? [])].flatMap((all) => [...all.values()]);
    this.isUsed = queries.some(({ cacheable }) => cacheable === true);
    this.#results = new CacheEntries<string, CachedResult>({
      declaration: QUERIES,
      maxStalenessMs: options.maxStalenessMs,
      clock: options.clock,
      size: {
        of: ({ rows }, key) => rows.reduce((sum, row) => sum + sizeOf(row), key.length),
        largest: MAX_CHARACTERS,
      },
    });
    this.meter = this.#results.meter;
  }

  /** A database that returns results from the cache where possible; streams are not cached. */
  before(database: ReadDatabase): ReadDatabase {
    return {
      query: (statement, signal) => this.#query(database, statement, signal),
      stream: (statement, options) => database.stream(statement, options),
    };
  }

  handleEvent({ type, data }: Envelope): void {
    if (!(QUERIES.invalidatedBy as readonly string[]).includes(type)) return;
    const { entity } = data as { readonly entity?: unknown };
    if (typeof entity !== 'string') return;
    this.dropEntities([entity]);
    this.meter.countInvalidation(type);
  }

  /** Drops the results of statements that read the entities. */
  dropEntities(names: Iterable<string>): void {
    if (this.#reads.size === 0 && this.meter.statistics().entries === 0) return;
    const tables = [...new Set(names)].flatMap((name) => this.tablesOf(name));
    const isAffected = ({ text }: { readonly text: string }): boolean => tables.some((table) => text.includes(table));
    for (const read of this.#reads) if (isAffected(read)) read.isOutdated = true;
    this.#results.dropWhere(isAffected);
  }

  dropAll(): void {
    for (const read of this.#reads) read.isOutdated = true;
    this.#results.dropAll();
  }

  setConnected(isConnected: boolean): void {
    this.#results.setConnected(isConnected);
  }

  async #query<R extends object>(
    database: ReadDatabase,
    statement: Statement,
    signal: AbortSignal | undefined,
  ): Promise<readonly R[]> {
    if (CURRENT_TIME.test(statement.text)) return database.query<R>(statement, signal);
    const key = `${statement.text}\n${JSON.stringify(statement.values)}`;
    const known = this.#results.get(key);
    if (known !== undefined) return known.rows as readonly R[];
    // Before the read: what is committed without waiting for this result is in it.
    const announcing = this.#announce(statement.text);
    if (announcing !== undefined && !(await announcing)) return database.query<R>(statement, signal);
    const readMs = this.#options.clock.now();
    const read: CurrentRead = { text: statement.text, isOutdated: false };
    this.#reads.add(read);
    try {
      const rows = await database.query<R>(statement, signal);
      if (!read.isOutdated) this.#results.keep(key, { text: statement.text, rows }, readMs);
      return rows;
    } finally {
      this.#reads.delete(read);
    }
  }

  /** Lets writers in all processes wait for results of the statement; undefined if they do already. */
  #announce(text: string): Promise<boolean> | undefined {
    const { ownWrites, model } = this.#options;
    if (ownWrites === undefined) return undefined;
    const tables = [...model.entities.values()].map((entity) => quoteTable(tableOf(entity)));
    return ownWrites.dependOn(tables.filter((table) => text.includes(table)));
  }

  /** Tables in which a statement can find instances of the entity: its own, those of ancestors and of descendants. */
  tablesOf(name: string): readonly string[] {
    const { model } = this.#options;
    const entity = model.entities.get(name);
    const family: readonly Entity[] =
      entity === undefined ? [] : [...lineageOf(model, entity), ...familyTreeOf(model, entity)];
    return [...new Set(family.map((member) => quoteTable(tableOf(member))))];
  }
}

const sizeOf = (row: object): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
