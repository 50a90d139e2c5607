import type { Display, Model } from '@lintel/metadata';
import {
  assertLimit,
  type CsvForm,
  compileCount,
  compileCsv,
  compileEach,
  compileEnd,
  compileEstimate,
  compileRead,
  type ParsedQuery,
  planCount,
  planRead,
  type QueryLimits,
  type ReadAccess,
  type ResultBounds,
  type RowPosition,
  resolveRead,
  type SecuredQuery,
  type StatementTemplate,
  secureRead,
  type TableForm,
  type TableInSql,
} from '@lintel/query';
import { disclosureOf } from '../access-log/disclosure.ts';
import type { CompiledRead } from './statement-cache.ts';

/**
 * The pure stages between the parsed query and the statement: run once for each shape of request.
 *
 * @throws PlatformError REQ_COST_EXCEEDED for more than the limits of the query allow
 * @param variant of one query: `after` is the last row before the page; the statement depends only on which of its
 *   values are null; `display` formats the values in instance names; with `tokens` every object gets a security token;
 *   `bounds` are those of its collections; `filter` replaces the one of the query; `tableInSql`
 *   is read instead of tables, of one instance
 */
export function compileQuery(
  parsed: ParsedQuery,
  model: Model,
  access: ReadAccess,
  variant: {
    readonly isUnlimited: boolean;
    readonly after: RowPosition | undefined;
    readonly display: Display;
    readonly tokens: boolean;
    readonly bounds?: ResultBounds | undefined;
    readonly filter?: SecuredQuery['filter'];
    readonly tableInSql?: TableInSql;
  },
): CompiledRead {
  const { isUnlimited, after, display, tokens, bounds, filter, tableInSql } = variant;
  const bound = resolveRead(parsed, model);
  const resolved = filter === undefined ? bound : { ...bound, filter };
  const secured = secureRead(resolved, access);
  const isFiltered = secured.node.policy !== undefined;
  const plan = planRead(secured, {
    limited: !isUnlimited && !isFiltered,
    display,
    tokens,
    ...(after === undefined ? {} : { after }),
  });
  const { limits } = parsed;
  const forms = new Map<string, CsvForm>();
  const rows = limited(compileRead(plan, bounds, parsed.returnNulls, tableInSql), limits);
  const later = (make: () => StatementTemplate) => once(() => limited(make(), limits));
  return {
    rows,
    disclosed: disclosureOf(secured),
    count: later(() => compileCount(planCount(secured))),
    estimate: later(() => compileEstimate(planCount(secured))),
    end: later(() => compileEnd(plan)),
    streamed: later(() => compileRead({ ...plan, position: [] }, bounds, parsed.returnNulls)),
    csv: (wanted: TableForm) => {
      const key = `${wanted.references} ${wanted.children}`;
      const form = forms.get(key) ?? compileCsv(plan, wanted);
      if (form.copied !== undefined && !forms.has(key)) limited(form.copied.statement, limits);
      forms.set(key, form);
      return form;
    },
    each: later(() => compileEach(rows, ({ kind }) => kind === 'id')),
    planNodes: resolved.planNodes,
    isLarge: resolved.testsPerRow || isLarge(rows.text),
    expected: { rows: { rows: 0, untilMs: 0 }, count: { rows: 0, untilMs: 0 } },
    isFiltered,
    hasCandidates: plan.candidates !== undefined,
    isLimited: once(() => isFiltered || hasRowConditions(secured)),
  };
}

/** More than ordinary lists have; the fetch plan of a page of details has about 20 tables and sub-selects. */
const MAX_ORDINARY_TABLES = 60;
/** The same for tests of collections. */
const MAX_ORDINARY_TESTS = 4;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const isLarge = (text: string): boolean =>
  countOf(text, / FROM | JOIN /g) > MAX_ORDINARY_TABLES ||
  countOf(text, /\bEXISTS \(|\bbool_or\(|\bcount\(\*\) AS "n"/g) > MAX_ORDINARY_TESTS;

/** Lists are one parameter each, so the size of a statement does not depend on its values. */
function limited(statement: StatementTemplate, limits: QueryLimits): StatementTemplate {
  assertLimit(limits, 'statementBytes', Buffer.byteLength(statement.text));
  assertLimit(limits, 'statementParameters', statement.sources.length);
  return statement;
}

/** Whether row-level policies restrict an entity that the count reads: the planner looks each of them up. */
function hasRowConditions(secured: SecuredQuery): boolean {
  const { visibility } = secured;
  let found = false;
  const note = <T>(value: T, isLimit: boolean): T => {
    found ||= isLimit;
    return value;
  };
  planCount({
    ...secured,
    visibility: {
      ...visibility,
      rowsOf(entity) {
        const rows = visibility.rowsOf(entity);
        return note(rows, rows !== undefined);
      },
      predicatesOf(entity) {
        const predicates = visibility.predicatesOf(entity);
        return note(predicates, predicates.length > 0);
      },
    },
  });
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
