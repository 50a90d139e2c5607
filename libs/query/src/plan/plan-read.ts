import type { Display } from '@lintel/metadata';
import { keyPartsOf } from '../ids/entity-id.ts';
import { parameterTypeOf } from '../literals/literal-type.ts';
import type { SecuredQuery } from '../secure/secured-query.ts';
import type { Visibility } from '../secure/visibility.ts';
import { planHighlights } from './conditions/plan-search.ts';
import { createStatementContext } from './create-statement-context.ts';
import { planSelection, planSelectionCount } from './language/plan-selection.ts';
import { planObject } from './objects/plan-object.ts';
import { PagedRow } from './paging/paged-row.ts';
import { orderName, planRanges } from './paging/plan-position.ts';
import { planPagedSort, planRank, planSort } from './paging/plan-sort.ts';
import { planCondition } from './plan-condition.ts';
import {
  brandPlanned,
  type Column,
  type CountPlan,
  type ObjectPlan,
  type ReadPlan,
  type RowPosition,
  type SqlCondition,
} from './read-plan.ts';
import { openRows, type RowSource } from './row-source.ts';

export interface PlanOptions {
  /** Whether the statement has `LIMIT` and `OFFSET`: not for data sets, nor if predicates select the rows. */
  readonly limited: boolean;
  /** The row after which the page begins. */
  readonly after?: RowPosition;
  /** How values are formatted in instance names: in the caller's locale. Without it they are not formatted. */
  readonly display?: Display;
  /** Every object gets a security token. */
  readonly tokens?: boolean;
}

/**
 * Fourth stage: tables, joins and conditions of one statement, for any depth of the fetch plan. A list
 * pages first and expands afterwards: sub-selects of rows outside of the page are never run.
 *
 * @throws PlatformError REQ_INVALID_CURSOR for a position in another order than the query's
 */
export function planRead(query: SecuredQuery, options: PlanOptions): ReadPlan {
  const { model, visibility, node, selection } = query;
  if (selection !== undefined) return planSelection(query, selection, options);
  const source = openRoot(query);
  const context = { model, visibility, display: options.display, tokens: options.tokens ?? false, above: [] };
  if (query.operation === 'instance')
    return brandPlanned<ReadPlan>({
      ...source.rows,
      orderBy: [],
      page: undefined,
      limited: false,
      order: '',
      position: [],
      after: undefined,
      object: planObject(node, source, context),
      version: versionColumn(source, visibility),
    });
  const sorted = (query.paged ? planPagedSort : planSort)(query.sort, source, visibility);
  const orderBy = query.rank === undefined ? sorted : [planRank(query.rank, source, visibility), ...sorted];
  // Of equal rows a cursor would skip those on the next page: without a key there is none, and none fits.
  const hasKey = source.entity.key !== undefined;
  const order = hasKey ? orderName(orderBy) : '';
  const row = new PagedRow(source);
  const object = withHighlights(query, planObject(node, row, context), row);
  // Where code chooses the rows, hidden ones must not use up the candidates.
  const hasCandidates = options.limited && query.rank !== undefined;
  const hasPosition = hasKey && (query.limited || options.after !== undefined);
  const pagedKeys =
    hasCandidates || hasPosition ? orderBy.map((key) => ({ ...key, column: row.paged(key.column) })) : [];
  const ranges = options.after && planRanges(hasCandidates ? pagedKeys : orderBy, order, options.after);
  return brandPlanned<ReadPlan>({
    ...source.rows,
    orderBy,
    page: { alias: row.alias, columns: row.pageColumns() },
    ...(hasCandidates ? { candidates: pagedKeys } : {}),
    limited: options.limited,
    order,
    position: query.limited && hasPosition ? pagedKeys.map(({ column }) => column) : [],
    after: ranges === undefined ? undefined : { ranges, orderBy: pagedKeys },
    object,
    version: undefined,
  });
}

/** The object with the member of the matches of a search, if the request wants it. */
function withHighlights({ highlights, visibility }: SecuredQuery, object: ObjectPlan, row: PagedRow): ObjectPlan {
  if (highlights === undefined) return object;
  const texts = planHighlights(highlights, row, visibility);
  if (texts.length === 0) return object;
  return { ...object, members: [...object.members, { name: '_highlights', value: { kind: 'highlights', texts } }] };
}

/** A version that the caller may not view is none: it rises with attributes that are hidden as well. */
function versionColumn(source: RowSource, visibility: Visibility): Column | undefined {
  const attribute = source.entity.attributes.get(source.entity.system.version ?? '');
  if (attribute === undefined || !visibility.mayView(source.entity, attribute)) return undefined;
  return source.columns(attribute, '')[0];
}

/** The number of rows that the list has without `limit` and `offset`: the root alone, no expansion. */
export function planCount(query: SecuredQuery): CountPlan {
  if (query.selection !== undefined) return planSelectionCount(query, query.selection);
  return brandPlanned<CountPlan>({ ...openRoot(query).rows });
}

/** The requested rows, of those that the caller may see. */
function openRoot(query: SecuredQuery): RowSource {
  const { model, entity, operation, deleted, visibility, filter } = query;
  const { source } = openRows(entity, createStatementContext(model, deleted !== undefined), visibility, {
    deleted: deleted === undefined ? 'hidden' : deleted === 'with' ? 'shown' : 'only',
    link: (root) => (operation === 'instance' ? idConditions(root) : []),
  });
  if (filter !== undefined) source.restrict([planCondition(filter, source, visibility)]);
  return source;
}

/** The key is that of the path. */
function idConditions(root: RowSource): readonly SqlCondition[] {
  const columns = root.keyColumns();
  return keyPartsOf(root.model, root.entity).map(({ type }, part): SqlCondition => {
    const column = columns[part];
    if (column === undefined) throw new Error(`The key of ${root.entity.name} has no column ${part}`);
    const parameter = { source: { kind: 'id', part } as const, sqlType: parameterTypeOf(type) };
    return { kind: 'compare', column, operator: '=', parameter };
  });
}
