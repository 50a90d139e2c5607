import type { InvalidatedCache } from '@lintel/cache';
import type { Envelope } from '@lintel/contracts';
import { type Entity, familyTreeOf, lineageOf, type Model, quoteTable, tableOf } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { ReadDatabase } from '../entities/measured-database.ts';
import type { Clock } from '../ports.ts';

/** A larger answer is not kept. */
const MOST_CHARACTERS = 1_000_000;
/** All answers together. */
const MOST_CHARACTERS_IN_ALL = 32_000_000;
const DISCONNECTED_STALENESS_MS = 5_000;

/** What the moment decides is another answer each time. */
const OF_THE_MOMENT = /\bnow\(\)|\bCURRENT_DATE\b|\bLOCALTIME/;

interface Entry {
  readonly text: string;
  readonly rows: readonly object[];
  readonly characters: number;
  readonly readMs: number;
}

/**
 * Answers of `cacheable` queries, by statement and values: whatever decides an answer — the query, its
 * parameters, the page, the caller's roles and attributes — is in one of them. An entry ends when an instance
 * of an entity changes whose table its statement reads, be it in a policy, and at the latest by age.
 */
export class QueryCache implements InvalidatedCache {
  readonly name = 'queries';
  readonly invalidatedBy = ['data.entity.changed.v1'] as const;
  /** The least recently used entry first. */
  readonly #entries = new Map<string, Entry>();
  readonly #options: { readonly model: Model; readonly clock: Clock; readonly maxStalenessMs: number };
  #characters = 0;
  /** Rises with every change: what was read before one may lack it. */
  #changes = 0;
  #isConnected = false;

  constructor(options: { readonly model: Model; readonly clock: Clock; readonly maxStalenessMs: number }) {
    this.#options = options;
  }

  /** A database that answers statements from the cache where it can; streams go past it. */
  before(database: ReadDatabase): ReadDatabase {
    return {
      query: (statement, signal) => this.#query(database, statement, signal),
      stream: (statement, options) => database.stream(statement, options),
    };
  }

  handleEvent({ data }: Envelope): void {
    const { entity } = data as { readonly entity?: unknown };
    if (typeof entity === 'string') this.dropEntities([entity]);
  }

  /** Drops what reads instances of the entities. */
  dropEntities(names: Iterable<string>): void {
    this.#changes += 1;
    if (this.#entries.size === 0) return;
    const tables = [...new Set(names)].flatMap((name) => this.#tablesOf(name));
    for (const [key, { text }] of this.#entries) if (tables.some((table) => text.includes(table))) this.#drop(key);
  }

  dropAll(): void {
    this.#changes += 1;
    this.#entries.clear();
    this.#characters = 0;
  }

  setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected;
  }

  async #query<R extends object>(
    database: ReadDatabase,
    statement: Statement,
    signal: AbortSignal | undefined,
  ): Promise<readonly R[]> {
    if (OF_THE_MOMENT.test(statement.text)) return database.query<R>(statement, signal);
    const key = `${statement.text}\n${JSON.stringify(statement.values)}`;
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known)) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.rows as readonly R[];
    }
    const readMs = this.#options.clock.now();
    const before = this.#changes;
    const rows = await database.query<R>(statement, signal);
    // A change that came meanwhile may be missing.
    if (before === this.#changes) this.#keep(key, statement.text, rows, readMs);
    return rows;
  }

  #keep(key: string, text: string, rows: readonly object[], readMs: number): void {
    const characters = rows.reduce((sum, row) => sum + sizeOf(row), key.length);
    if (characters > MOST_CHARACTERS) return;
    this.#drop(key);
    this.#entries.set(key, { text, rows, characters, readMs });
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= MOST_CHARACTERS_IN_ALL) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }

  #isFresh({ readMs }: Entry): boolean {
    const { clock, maxStalenessMs } = this.#options;
    const ageMs = clock.now() - readMs;
    const bound = this.#isConnected ? maxStalenessMs : Math.min(maxStalenessMs, DISCONNECTED_STALENESS_MS);
    return ageMs >= 0 && ageMs < bound;
  }

  /** A statement names an instance by the table of its entity, of an ancestor or of a descendant. */
  #tablesOf(name: string): readonly string[] {
    const { model } = this.#options;
    const entity = model.entities.get(name);
    const family: readonly Entity[] =
      entity === undefined ? [] : [...lineageOf(model, entity), ...familyTreeOf(model, entity)];
    return [...new Set(family.map((member) => quoteTable(tableOf(member.name))))];
  }
}

const sizeOf = (row: object): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
