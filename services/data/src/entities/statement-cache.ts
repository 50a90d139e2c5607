import type { Model } from '@lintel/metadata';
import type { ParsedQuery, ReadAccess, StatementTemplate } from '@lintel/query';

/** The statements of one shape of request; made by the pure stages, used for every request of the shape. */
export interface PreparedRead {
  readonly rows: StatementTemplate;
  /** Made when a count is first asked for. */
  readonly count: () => StatementTemplate;
  /** Asks the planner for the count; made when it is first asked for. */
  readonly estimate: () => StatementTemplate;
  /** Of answers whose rows follow the head: where a full page ends. Made when it is first asked for. */
  readonly end: () => StatementTemplate;
  /** The rows for these, without their places in the order. */
  readonly streamed: () => StatementTemplate;
  /** Predicates choose the roots: paging and counting are done while the rows are read. */
  readonly isFiltered: boolean;
}

interface Entry {
  readonly prepared: PreparedRead;
  uses: number;
}

/** Each entry holds a text of some kilobytes and its plan. */
const MAX_ENTRIES = 1_000;
/** A longer shape is a filter of hundreds of conditions: not worth the memory here or in the database. */
const MAX_KEY_LENGTH = 20_000;

/**
 * Compiled statements by model version, access and shape of the request, never by its values. The least
 * recently used one goes first.
 */
export class StatementCache {
  readonly #entries = new Map<string, Entry>();

  /**
   * The statements of the query, compiled by `compile` where they are not known.
   *
   * @returns them, and whether the shape came before: only then is it worth a name in the database
   */
  prepare(
    query: ParsedQuery,
    model: Model,
    access: ReadAccess,
    variant: string,
    compile: () => PreparedRead,
  ): { readonly prepared: PreparedRead; readonly isKnown: boolean } {
    const key = `${model.version} ${access.fingerprint} ${variant} ${query.shapeKey}`;
    if (key.length > MAX_KEY_LENGTH) return { prepared: compile(), isKnown: false };
    const entry = this.#entries.get(key) ?? { prepared: compile(), uses: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#evictOldest();
    entry.uses += 1;
    return { prepared: entry.prepared, isKnown: entry.uses > 1 };
  }

  #evictOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
