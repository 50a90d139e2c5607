import { createMemo, declareCache } from '@lintel/cache';
import type { Model } from '@lintel/metadata';
import type { CsvForm, ParsedQuery, ReadAccess, ResultBounds, StatementTemplate, TableForm } from '@lintel/query';
import type { Disclosure } from '../access-log/disclosure.ts';

/** The planner's estimate for a statement of a large shape. */
export interface ExpectedCost {
  /** In the unit of the planner; undefined before the first estimate. */
  cost?: number;
  /** Number of rows that the estimate covers, those before the page included; fewer rows cost no more. */
  rows: number;
  /** Time until which the estimate is valid. */
  untilMs: number;
}

/** The statements of one shape of request; created by the pure stages, used for every request of the shape. */
export interface CompiledRead {
  readonly rows: StatementTemplate;
  /** Instances in the rows whose access is recorded. */
  readonly disclosed?: Disclosure | undefined;
  /** Made when it is first used. */
  readonly count: () => StatementTemplate;
  /** Reads the planner's estimate of the count; made when it is first used. */
  readonly estimate: () => StatementTemplate;
  /** The position of the last row of a full page, for streamed pages. Made when it is first used. */
  readonly end: () => StatementTemplate;
  /** The rows of streamed pages, without their positions. */
  readonly streamed: () => StatementTemplate;
  /** The rows as CSV. */
  readonly csv: (form: TableForm) => CsvForm;
  /** The rows for several ids at once: a column `at` has the index of the id, from 0. */
  readonly each: () => StatementTemplate;
  /** Objects that one row of the response has. */
  readonly planNodes: number;
  /** The statement joins and tests so much that its cost is estimated before it runs. */
  readonly isLarge: boolean;
  /** Of a large shape: of the rows and of their count. */
  readonly expected: { readonly rows: ExpectedCost; readonly count: ExpectedCost };
  /** Predicates choose the roots: paging and counting are done while the rows are read. */
  readonly isFiltered: boolean;
  /** Only so many matches of a search are ranked (contract/search.md#rank). */
  readonly hasCandidates: boolean;
  /** Whether any row-level policy of the caller restricts an entity that the count reads; computed at first use. */
  readonly isLimited: () => boolean;
}

interface Entry {
  readonly compiled: CompiledRead;
  uses: number;
}

/** Each entry contains a text of some kilobytes and its plan. */
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
   * The statements of the query, compiled by `compile` if they are not cached.
   *
   * @returns them, and whether the shape was requested before and is not large: only then does its statement get a name
   *   in the database
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
