import { type CacheMeter, declareCache, HeldEntries, type InvalidatedCache } from '@lintel/cache';
import type { Envelope } from '@lintel/contracts';
import { type Entity, familyTreeOf, lineageOf, type Model, quoteTable, tableOf } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { ReadDatabase } from '../entities/measured-database.ts';
import type { Clock } from '../ports.ts';

/** A larger answer is not kept. */
const MOST_CHARACTERS = 1_000_000;

const QUERIES = declareCache({
  name: 'queries',
  holds: 'the rows of a statement of a `cacheable` predefined query',
  where: ['data'],
  keyedBy: 'statement and values; the caller’s roles and attributes are in one of them',
  maxEntries: 20_000,
  maxSize: { most: 32_000_000, unit: 'characters' },
  // Those that read the table of the entity; a replica drops its own at the commit of a change.
  invalidatedBy: ['data.entity.changed.v1'],
  staleness: 'max-staleness',
  whileAway: 'PostgreSQL: answered to the end of its life, then 503',
});

/** What the moment decides is another answer each time. */
const OF_THE_MOMENT = /\bnow\(\)|\bCURRENT_DATE\b|\bLOCALTIME/;

interface Answer {
  readonly text: string;
  readonly rows: readonly object[];
}

/**
 * Answers of `cacheable` queries, by statement and values: whatever decides an answer — the query, its
 * parameters, the page, the caller's roles and attributes — is in one of them. An entry ends when an instance
 * of an entity changes whose table its statement reads, be it in a policy, and at the latest by age.
 */
export class QueryCache implements InvalidatedCache {
  readonly declaration = QUERIES;
  readonly meter: CacheMeter;
  readonly #answers: HeldEntries<string, Answer>;
  readonly #options: { readonly model: Model; readonly clock: Clock; readonly maxStalenessMs: number };
  /** Rises with every change: what was read before one may lack it. */
  #changes = 0;

  constructor(options: { readonly model: Model; readonly clock: Clock; readonly maxStalenessMs: number }) {
    this.#options = options;
    this.#answers = new HeldEntries<string, Answer>({
      declaration: QUERIES,
      maxStalenessMs: options.maxStalenessMs,
      clock: options.clock,
      size: {
        of: ({ rows }, key) => rows.reduce((sum, row) => sum + sizeOf(row), key.length),
        largest: MOST_CHARACTERS,
      },
    });
    this.meter = this.#answers.meter;
  }

  /** A database that answers statements from the cache where it can; streams go past it. */
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

  /** Drops what reads instances of the entities. */
  dropEntities(names: Iterable<string>): void {
    this.#changes += 1;
    if (this.meter.statistics().entries === 0) return;
    const tables = [...new Set(names)].flatMap((name) => this.#tablesOf(name));
    this.#answers.dropWhere(({ text }) => tables.some((table) => text.includes(table)));
  }

  dropAll(): void {
    this.#changes += 1;
    this.#answers.dropAll();
  }

  setConnected(isConnected: boolean): void {
    this.#answers.setConnected(isConnected);
  }

  async #query<R extends object>(
    database: ReadDatabase,
    statement: Statement,
    signal: AbortSignal | undefined,
  ): Promise<readonly R[]> {
    if (OF_THE_MOMENT.test(statement.text)) return database.query<R>(statement, signal);
    const key = `${statement.text}\n${JSON.stringify(statement.values)}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known.rows as readonly R[];
    const readMs = this.#options.clock.now();
    const before = this.#changes;
    const rows = await database.query<R>(statement, signal);
    // A change that came meanwhile may be missing.
    if (before === this.#changes) this.#answers.keep(key, { text: statement.text, rows }, readMs);
    return rows;
  }

  /** A statement names an instance by the table of its entity, of an ancestor or of a descendant. */
  #tablesOf(name: string): readonly string[] {
    const { model } = this.#options;
    const entity = model.entities.get(name);
    const family: readonly Entity[] =
      entity === undefined ? [] : [...lineageOf(model, entity), ...familyTreeOf(model, entity)];
    return [...new Set(family.map((member) => quoteTable(tableOf(member))))];
  }
}

const sizeOf = (row: object): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
