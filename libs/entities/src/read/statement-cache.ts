import { createMemo, declareCache } from '@lintel/cache';
import type { Model } from '@lintel/metadata';
import type { ParsedQuery, ReadAccess, ResultBounds, StatementTemplate } from '@lintel/query';

/** What the planner expects of a statement of a large shape. */
export interface ExpectedCost {
  /** In the unit of the planner; undefined before it was asked. */
  cost?: number;
  /** It was asked about a page of so many rows, those before the page included; shorter ones cost no more. */
  rows: number;
  /** Until when it is not asked again. */
  untilMs: number;
}

/** The statements of one shape of request; made by the pure stages, used for every request of the shape. */
export interface CompiledRead {
  readonly rows: StatementTemplate;
  /** Made when a count is first asked for. */
  readonly count: () => StatementTemplate;
  /** Asks the planner for the count; made when it is first asked for. */
  readonly estimate: () => StatementTemplate;
  /** Of answers whose rows follow the head: where a full page ends. Made when it is first asked for. */
  readonly end: () => StatementTemplate;
  /** The rows for these, without their places in the order. */
  readonly streamed: () => StatementTemplate;
  /** The rows for several ids at once: a column `at` has the index of the id, from 0. */
  readonly each: () => StatementTemplate;
  /** Objects that one row of the response has. */
  readonly planNodes: number;
  /** So much is joined and tested that the planner is asked for the cost first. */
  readonly isLarge: boolean;
  /** Of a large shape: of the rows and of their count. */
  readonly expected: { readonly rows: ExpectedCost; readonly count: ExpectedCost };
  /** Predicates choose the roots: paging and counting are done while the rows are read. */
  readonly isFiltered: boolean;
  /** Row-level policies of the caller, of any kind, hold for an entity that the count asks; found out when first asked. */
  readonly isLimited: () => boolean;
}

interface Entry {
  readonly compiled: CompiledRead;
  uses: number;
}

/** Each entry holds a text of some kilobytes and its plan. */
const STATEMENTS = declareCache({
  name: 'statements',
  holds: 'the plan and the SQL text for one shape of read requests',
  where: ['data'],
  keyedBy: 'model version, fingerprint of the caller’s access, shape of the request (never its values)',
  maxEntries: 1_000,
  maxSize: { max: 8_000_000, unit: 'characters' },
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
});
/** A longer shape is a filter of hundreds of conditions: not worth the memory here or in the database. */
const MAX_KEY_LENGTH = 20_000;
/** A plan takes some six to twelve bytes for each character of its statement. */
const MAX_HELD_LENGTH = 300_000;
/** A backend keeps 60 to 180 bytes for each character of a statement with a name. */
const MAX_NAMED_LENGTH = 32_000;

/** Compiled statements by model version, access and shape of the request, never by its values. */
export class StatementCache {
  readonly cache = createMemo<string, Entry>(STATEMENTS, {
    of: ({ compiled }, key) => key.length + compiled.rows.text.length,
    largest: MAX_HELD_LENGTH,
  });
  /** Limits of the collections in a row that the statements check. */
  readonly bounds: ResultBounds | undefined;

  constructor(bounds?: ResultBounds) {
    this.bounds = bounds;
  }

  /**
   * The statements of the query, compiled by `compile` where they are not known.
   *
   * @returns them, and whether the shape came before and is no large one: only then is it worth a name in the database
   */
  prepare(
    query: ParsedQuery,
    model: Model,
    access: ReadAccess,
    variant: string,
    compile: () => CompiledRead,
  ): { readonly compiled: CompiledRead; readonly isKnown: boolean } {
    const key = `${model.version} ${access.fingerprint} ${variant} ${query.shapeKey}`;
    if (key.length > MAX_KEY_LENGTH) return { compiled: compile(), isKnown: false };
    const entry = this.cache.get(key, () => ({ compiled: compile(), uses: 0 }));
    entry.uses += 1;
    return { compiled: entry.compiled, isKnown: entry.uses > 1 && entry.compiled.rows.text.length <= MAX_NAMED_LENGTH };
  }
}
