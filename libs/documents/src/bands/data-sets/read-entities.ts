import type { EntitiesDataSet } from '@lintel/application';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { EMPTY, type Fields, linkKeyOf, plainOf, plainRow } from '../cell.ts';
import { cellsOfInstance } from '../cells-of-row.ts';
import { fieldOf } from '../field-of.ts';
import type { PlacedRow } from '../merge-rows.ts';

type Below = NonNullable<EntitiesDataSet['below']>;

/** Maximum number of values in one list; the data service accepts 10,000 by default. */
const MAX_LINKED = 5_000;

/** Reads rows of an entity: for each parent by its filter, or for all parents by the linked attribute. */
export async function* readEntities(
  set: EntitiesDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  if (set.below !== undefined) {
    yield* readBelow(set, set.below, context, parents);
    return;
  }
  for (const [at, ancestors] of parents.entries())
    for await (const fields of load(set, context, set.filter?.(context.parameters, plainRow(ancestors))))
      yield { at, fields };
}

async function* load(set: EntitiesDataSet, { model, data }: BandContext, filter: unknown): AsyncGenerator<Fields> {
  const rows = data.load({
    entity: set.entity,
    fetchPlan: set.fetchPlan,
    ...(filter === undefined ? {} : { filter }),
    ...(set.sort === undefined ? {} : { sort: set.sort }),
  });
  for await (const row of rows) yield cellsOfInstance(model, set.entity, row);
}

/** Reads for all parents, some thousand at a time; a row belongs to the parents whose field equals its attribute. */
async function* readBelow(
  set: EntitiesDataSet,
  { attribute, field }: Below,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const parentsByKey = new Map<string, number[]>();
  const values = new Map<string, unknown>();
  for (const [at, ancestors] of parents.entries()) {
    const cell = fieldOf(ancestors, field);
    if (cell === undefined) throw new ReportFailure(`There is no field ${field} in the bands above`);
    const key = linkKeyOf(cell);
    if (key === undefined) continue;
    parentsByKey.set(key, [...(parentsByKey.get(key) ?? []), at]);
    values.set(key, keyValue(plainOf(cell)));
  }
  if (values.size === 0) return;
  const own = set.filter?.(context.parameters, {});
  const all = [...values.values()];
  const rows: Fields[][] = parents.map(() => []);
  for (let from = 0; from < all.length; from += MAX_LINKED) {
    const linked = { property: attribute, operator: 'in', value: all.slice(from, from + MAX_LINKED) };
    const conditions = own === undefined ? [linked] : [...conditionsOf(own), linked];
    for await (const fields of load(set, context, { conditions })) {
      if (!fields.has(attribute))
        throw new ReportFailure(`The attribute ${attribute}, which links the data set ${set.name}, is not in its plan`);
      for (const at of parentsByKey.get(linkKeyOf(fields.get(attribute) ?? EMPTY) ?? '') ?? []) rows[at]?.push(fields);
    }
  }
  for (const [at, found] of rows.entries()) for (const fields of found) yield { at, fields };
}

/** An instance is compared by its id. */
const keyValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;

const conditionsOf = (filter: unknown): readonly unknown[] =>
  typeof filter === 'object' && filter !== null && 'conditions' in filter && Array.isArray(filter.conditions)
    ? filter.conditions
    : [];
