import type { Display } from '@lintel/metadata';
import { keyPartsOf } from '../ids/entity-id.ts';
import { parameterTypeOf } from '../literals/literal-type.ts';
import type { SecuredQuery } from '../secure/secured-query.ts';
import { planSelection, planSelectionCount } from './language/plan-selection.ts';
import { PagedRow } from './paged-row.ts';
import { planCondition } from './plan-condition.ts';
import { visibleRows } from './plan-joins.ts';
import { planObject } from './plan-object.ts';
import { orderName, planRanges } from './plan-position.ts';
import { keySort, planSort } from './plan-sort.ts';
import {
  brandPlanned,
  type Column,
  type CountPlan,
  type ReadPlan,
  type RowPosition,
  type SortPlan,
  type SqlCondition,
} from './read-plan.ts';
import { AliasSource, RowSource } from './row-source.ts';

export interface PlanOptions {
  /** Whether the statement has `LIMIT` and `OFFSET`: not for data sets, nor where predicates choose the rows. */
  readonly limited: boolean;
  /** The row that the page begins behind. */
  readonly after?: RowPosition;
  /** How values stand in instance names: in the caller's locale. Without it as they are stored. */
  readonly display?: Display;
  /** Every object gets a security token. */
  readonly tokens?: boolean;
}

/**
 * Fourth stage: tables, joins and conditions of one statement, of whatever depth the fetch plan is. A list
 * pages first and expands afterwards: sub-selects of rows that the page leaves out are never run.
 *
 * @throws PlatformError REQ_INVALID_CURSOR for a place in another order than the query's
 */
export function planRead(query: SecuredQuery, options: PlanOptions): ReadPlan {
  const { model, entity, visibility, node, selection } = query;
  if (selection !== undefined) return planSelection(query, selection, options);
  const aliases = new AliasSource();
  const source = new RowSource(model, entity, aliases);
  const where = rootConditions(query, source);
  const context = { model, aliases, visibility, display: options.display, tokens: options.tokens ?? false, above: [] };
  if (query.operation === 'instance')
    return brandPlanned<ReadPlan>({
      from: source.from,
      where,
      orderBy: [],
      page: undefined,
      limited: false,
      order: '',
      position: [],
      behind: undefined,
      object: planObject(node, source, context),
      version: versionColumn(source),
    });
  const orderBy = rootOrder(query, source);
  const order = orderName(orderBy);
  const ranges = options.after === undefined ? undefined : planRanges(orderBy, order, options.after);
  const row = new PagedRow(source);
  const object = planObject(node, row, context);
  const isPlaced = query.limited || ranges !== undefined;
  const placed = isPlaced ? orderBy.map((key): SortPlan => ({ ...key, column: row.paged(key.column) })) : [];
  return brandPlanned<ReadPlan>({
    from: source.from,
    where,
    orderBy,
    page: { alias: row.alias, columns: row.pageColumns() },
    limited: options.limited,
    order,
    position: query.limited ? placed.map(({ column }) => column) : [],
    behind: ranges === undefined ? undefined : { ranges, orderBy: placed },
    object,
    version: undefined,
  });
}

function versionColumn(source: RowSource): Column | undefined {
  const attribute = source.entity.attributes.get(source.entity.system.version ?? '');
  return attribute === undefined ? undefined : source.columns(attribute, '')[0];
}

/** The number of rows that the list has without `limit` and `offset`: the root alone, no expansion. */
export function planCount(query: SecuredQuery): CountPlan {
  if (query.selection !== undefined) return planSelectionCount(query, query.selection);
  const source = new RowSource(query.model, query.entity, new AliasSource());
  return brandPlanned<CountPlan>({ where: rootConditions(query, source), from: source.from });
}

function rootConditions(query: SecuredQuery, source: RowSource): readonly SqlCondition[] {
  const { model, entity, visibility, filter } = query;
  const columns = source.keyColumns();
  const byId =
    query.operation !== 'instance'
      ? []
      : keyPartsOf(model, entity).map(({ type }, part): SqlCondition => {
          const column = columns[part];
          if (column === undefined) throw new Error(`The key of ${entity.name} has no column ${part}`);
          const parameter = { source: { kind: 'id', part } as const, sqlType: parameterTypeOf(type) };
          return { kind: 'compare', column, operator: '=', parameter };
        });
  return [
    ...byId,
    ...source.notDeleted(),
    ...visibleRows(source, visibility),
    ...(filter === undefined ? [] : [planCondition(filter, source, visibility)]),
  ];
}

/** Where pages are asked for, the key comes last, so that they never overlap (decisions.md 12). */
function rootOrder(query: SecuredQuery, source: RowSource): readonly SortPlan[] {
  const sorted = planSort(query.sort, source, query.visibility);
  if (!query.paged) return sorted;
  const key = keySort(source).filter(
    ({ column: { alias, name } }) => !sorted.some(({ column }) => column.alias === alias && column.name === name),
  );
  return [...sorted, ...key];
}
