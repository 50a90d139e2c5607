import type { BoundExpression } from '../../resolve/language/bound-expression.ts';
import type { BoundOrder, BoundSelect } from '../../resolve/language/bound-select.ts';
import type { FilledUnits, GroupCaption } from '../../resolve/resolved-query.ts';
import type { SecuredQuery, SecuredSelection } from '../../secure/secured-query.ts';
import { createStatementContext } from '../create-statement-context.ts';
import { planCaption } from '../objects/plan-name.ts';
import { planObject } from '../objects/plan-object.ts';
import { PagedRow } from '../paging/paged-row.ts';
import { orderName, planRanges as planPosition } from '../paging/plan-position.ts';
import type { PlanOptions } from '../plan-read.ts';
import {
  brandPlanned,
  type Column,
  type ColumnFormat,
  type CountPlan,
  type FillPlan,
  type From,
  type MemberPlan,
  type ObjectPlan,
  type PageColumn,
  type ReadPlan,
  type Rows,
  type SqlCondition,
} from '../read-plan.ts';
import { openRows, type RowSource, rejoinByKey, sameColumns } from '../row-source.ts';
import { groupOrder } from './group-order.ts';
import { planValues } from './plan-expression.ts';
import { PlanLevel } from './plan-level.ts';
import { planGroups, planRanges } from './plan-select.ts';
import { SelectedKey } from './selected-key.ts';
import type { OrderPlan, SelectPlan, SqlExpression } from './sql-expression.ts';

/** Alias of what a query selects, before it is paged. */
const SELECTED = 'selected';
const PAGE = 'page';

/**
 * Plans a query of the entity query language: its rows are paged, and made into JSON by the fetch plan, as
 * those of a filter are.
 */
export function planSelection(query: SecuredQuery, selection: SecuredSelection, options: PlanOptions): ReadPlan {
  return selection.root === undefined
    ? planValuesRead(query, selection, options)
    : planInstances(query, selection, selection.root, options);
}

/** The number of rows that the query has without `limit` and `offset`. */
export function planSelectionCount(query: SecuredQuery, selection: SecuredSelection): CountPlan {
  const level = levelOf(query);
  const { root, select } = selection;
  if (root !== undefined && !isGathered(select)) return brandPlanned<CountPlan>(planRows(select, root, level));
  const expressions = select.items.map(({ expression }) => expression);
  const { from } = planGathered(selection, expressions, level);
  return brandPlanned<CountPlan>({ from, where: [] });
}

const levelOf = ({ model, visibility }: SecuredQuery): PlanLevel =>
  new PlanLevel(createStatementContext(model), visibility);

/** Whether a row of the result represents several rows of the tables. */
const isGathered = ({ distinct, grouped }: BoundSelect): boolean => distinct || grouped;

type Root = NonNullable<SecuredSelection['root']>;

/** The query's tables; an instance must be there, even if it was joined from the left. */
function planRows(select: BoundSelect, root: Root | undefined, level: PlanLevel): Rows {
  const { from, where } = planRanges(select, level);
  const isOptional = select.ranges.some(({ joins }) =>
    joins.some(({ kind, variable }) => kind === 'left' && variable === root),
  );
  if (root === undefined || !isOptional) return { from, where };
  return { from, where: [...where, { kind: 'null', columns: level.sourceOf(root).keyColumns(), negated: true }] };
}

function planInstances(
  query: SecuredQuery,
  selection: SecuredSelection,
  root: Root,
  { limited, display, tokens = false }: PlanOptions,
): ReadPlan {
  const { select } = selection;
  const level = levelOf(query);
  const { model, visibility, node } = query;
  const context = { model, visibility, display, tokens, above: [] };
  if (!isGathered(select)) {
    const rows = planRows(select, root, level);
    const source = level.sourceOf(root);
    const orderBy = [...planOrder(select.orderBy, level), ...(query.paged ? keyOrder(source.keyColumns()) : [])];
    const row = new PagedRow(source);
    const object = planObject(node, row, context);
    return readPlan(rows, orderBy, { alias: row.alias, columns: row.pageColumns() }, object, limited);
  }
  const item: BoundExpression = { kind: 'variable', variable: root, type: { kind: 'entity', entity: root.entity } };
  const { from, orderBy, columns, chosen } = planGathered(selection, [item], level);
  const source = rejoinByKey(new SelectedKey(level.sourceOf(root), chosen, columns), root.entity);
  const row = new PagedRow(source);
  const object = planObject(node, row, context);
  const joined: From = { ...from, joins: [{ kind: 'inner', from: source.rows.from, on: source.rows.where }] };
  const keys = query.paged ? keyOrder(columns) : [];
  const page = { alias: row.alias, columns: row.pageColumns() };
  return readPlan({ from: joined, where: [] }, [...orderBy, ...keys], page, object, limited);
}

function planValuesRead(query: SecuredQuery, selection: SecuredSelection, options: PlanOptions): ReadPlan {
  const { limited, after } = options;
  const { select, isKeyed, captions = [] } = selection;
  const level = levelOf(query);
  const expressions = select.items.map(({ expression }) => expression);
  const { from, orderBy, ordered, columns } = planGathered(selection, expressions, level);
  const members = select.items.map(({ name, expression }, at): MemberPlan => {
    const format = formatOf(expression);
    return { name, value: { kind: 'column', column: ofPage({ name: `c${at}` }), format } };
  });
  members.splice(select.groupBy.length, 0, ...captions.map((caption) => captionMember(caption, query, level, options)));
  const object: ObjectPlan = { members, cycles: [], short: [], policies: [] };
  const page = { alias: PAGE, columns: columns.map(pageColumn) };
  // The order of rows that are equal in all selected columns is not visible.
  if (isKeyed !== true)
    return readPlan(
      { from, where: [] },
      [...orderBy, ...(query.paged ? keyOrder(columns) : [])],
      page,
      object,
      limited,
    );
  const keys = groupOrder(select, ordered, query.paged ? columns.slice(0, select.groupBy.length) : [], query.model);
  const order = orderName(keys);
  // The groups exist once, whatever the number of the ranges is.
  const later = after && planPosition(keys, order, after).map((conditions) => ({ kind: 'and', conditions }) as const);
  const where: readonly SqlCondition[] = later === undefined ? [] : [{ kind: 'or', conditions: later }];
  const hasEnd = query.limited && select.groupBy.length > 0;
  const paged = hasEnd ? { ...page, columns: [...page.columns, ...ordered.map(pageColumn)] } : page;
  return brandPlanned<ReadPlan>({
    ...readPlan({ from, where }, keys, paged, object, limited),
    order,
    position: hasEnd ? keys.map(({ column }) => ofPage(column)) : [],
  });
}

/** Of the groups of the page alone. */
function captionMember(
  { at, name, of }: GroupCaption,
  { model, visibility }: SecuredQuery,
  level: PlanLevel,
  { display }: PlanOptions,
): MemberPlan {
  const column = ofPage({ name: `c${at}` });
  const link = (target: RowSource): readonly SqlCondition[] => sameColumns(target.keyColumns(), [column]);
  const named = 'attributes' in of ? openRows(of, level.context, visibility, { deleted: 'shown', link }).source : of;
  return { name, value: { kind: 'name', ...planCaption(named, column, { model, visibility, display }) } };
}

const ofPage = ({ name }: Pick<Column, 'name'>): Column => ({ alias: PAGE, name });
const pageColumn = (column: Column): PageColumn => ({ column, name: column.name });

function formatOf({ type }: BoundExpression): ColumnFormat {
  if (type.kind !== 'scalar') throw new Error('An instance is no value');
  return type.type;
}

const readPlan = (
  { from, where }: Rows,
  orderBy: ReadPlan['orderBy'],
  page: NonNullable<ReadPlan['page']>,
  object: ObjectPlan,
  limited: boolean,
): ReadPlan =>
  brandPlanned<ReadPlan>({
    from,
    where,
    orderBy,
    page,
    limited,
    order: '',
    position: [],
    after: undefined,
    object,
    version: undefined,
  });

const keyOrder = (columns: readonly Column[]): readonly OrderPlan[] =>
  columns.map((column) => ({ expression: { kind: 'column', column }, descending: false, nulls: undefined }));

/** An instance is ordered by its key. */
const planOrder = (orderBy: readonly BoundOrder[], level: PlanLevel): readonly OrderPlan[] =>
  orderBy.flatMap(({ expression, descending, nulls }) =>
    planValues(expression, level).map((value): OrderPlan => ({ expression: value, descending, nulls })),
  );

/** The rows as a table of their own: `c0`, `c1`, … what is selected, `o0`, `o1`, … what it is ordered by. */
function planGathered(
  { select, root, fill }: SecuredSelection,
  expressions: readonly BoundExpression[],
  level: PlanLevel,
): {
  readonly from: From;
  readonly orderBy: readonly OrderPlan[];
  /** The columns of `orderBy`. */
  readonly ordered: readonly Column[];
  /** Those of `expressions`, and what each stands for. */
  readonly columns: readonly Column[];
  readonly chosen: readonly SqlExpression[];
} {
  const { from, where } = planRows(select, root, level);
  const sorts = select.orderBy.map(({ expression }) => expression);
  const { values, having, groupBy } = planGroups(select, [...expressions, ...sorts], level);
  const chosen = values.slice(0, expressions.length).flat();
  const names = chosen.map((_, at) => `c${at}`);
  const orders = values.slice(expressions.length).flatMap((parts, at) => {
    const { descending = false, nulls } = select.orderBy[at] ?? {};
    return parts.map((expression) => ({ expression, descending, nulls }));
  });
  const table: SelectPlan = {
    distinct: select.distinct,
    columns: [
      ...chosen.map((expression, at) => ({ expression, name: names[at] ?? '' })),
      ...orders.map(({ expression }, at) => ({ expression, name: `o${at}` })),
    ],
    from,
    where,
    groupBy,
    having,
  };
  const column = (name: string): Column => ({ alias: SELECTED, name });
  const ordered = orders.map((_, at) => column(`o${at}`));
  return {
    from: { table: fill === undefined ? table : planFill(table, fill, select), alias: SELECTED, joins: [] },
    ordered,
    orderBy: ordered.map((one, at) => ({
      expression: { kind: 'column', column: one } satisfies SqlExpression,
      descending: orders[at]?.descending ?? false,
      nulls: orders[at]?.nulls,
    })),
    columns: names.map(column),
    chosen,
  };
}

function planFill(
  table: SelectPlan,
  { at, unit, zeros }: FilledUnits,
  { items, groupBy, orderBy }: BoundSelect,
): FillPlan {
  // Rows are ordered by selected values.
  const shown = [
    ...items.keys(),
    ...orderBy.map((order) => items.findIndex((item) => item.expression === order.expression)),
  ];
  const named = (isIn: (item: number) => boolean): readonly string[] =>
    table.columns.flatMap(({ name }, index) => (isIn(shown[index] ?? -1) ? [name] : []));
  return {
    fill: table,
    column: `c${at}`,
    unit,
    units: named((item) => item === at),
    groups: named((item) => item < groupBy.length && item !== at),
    zeros: named((item) => zeros.includes(item)),
  };
}
