import type { EntityDataSet, EntityListDataSet, ReportParameterValue, ReportRow } from '@lintel/application';
import { entityOf, type FetchPlan, type Model } from '@lintel/metadata';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import type { Fields } from '../cell.ts';
import { cellsOfInstance } from '../cells-of-row.ts';
import type { PlacedRow } from '../merge-rows.ts';
import { filterByIds } from './filter-by-ids.ts';
import { forEveryParent } from './shared-rows.ts';

/** Loads the instance of an entity parameter again, with the plan of the data set. */
export const readEntityParameter = (
  { parameter = 'entity', fetchPlan }: EntityDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> =>
  forEveryParent(reload(instances(context.parameters[parameter], parameter), fetchPlan, context), parents.length);

/** Loads the instances of a list parameter, or the members of a collection of an entity parameter. */
export function readEntityList(
  { parameter = 'entities', fetchPlan }: EntityListDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const [alias = '', attribute] = parameter.split('#');
  const value = context.parameters[alias];
  if (attribute !== undefined)
    return forEveryParent(members(instances(value, alias), attribute, fetchPlan, context), parents.length);
  if (!Array.isArray(value))
    throw new ReportFailure(
      `Input parameters do not contain '${alias}' parameter or it has type other than collection`,
    );
  return forEveryParent(reload(value as readonly ReportRow[], fetchPlan, context), parents.length);
}

function instances(value: ReportParameterValue | undefined, alias: string): readonly ReportRow[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ReportFailure(`Input parameters do not contain '${alias}' parameter`);
  return [value as ReportRow];
}

async function* reload(known: readonly ReportRow[], fetchPlan: unknown, context: BandContext): AsyncGenerator<Fields> {
  const { model } = context;
  const byId = new Map<string, ReportRow>();
  const entity = known[0]?.['_entityName'];
  if (typeof entity !== 'string') return;
  const ids = known.map(({ id }) => id);
  for await (const row of context.data.load({ entity, fetchPlan, filter: filterByIds(entityOf(model, entity), ids) }))
    byId.set(textOf(row['id']), row);
  for (const id of ids) {
    const row = byId.get(textOf(id));
    // A missing one was deleted since, or the caller may not read it any more.
    if (row !== undefined) yield cellsOfInstance(model, entity, row);
  }
}

async function* members(
  owners: readonly ReportRow[],
  attribute: string,
  fetchPlan: unknown,
  context: BandContext,
): AsyncGenerator<Fields> {
  const { model } = context;
  const entity = String(owners[0]?.['_entityName']);
  const declared = entityOf(model, entity).attributes.get(attribute);
  if (declared?.kind !== 'reference') throw new ReportFailure(`${entity}.${attribute} is no collection`);
  const plan = { properties: [{ name: attribute, fetchPlan: planOf(model, declared.target, fetchPlan) }] };
  const filter = filterByIds(
    entityOf(model, entity),
    owners.map(({ id }) => id),
  );
  for await (const owner of context.data.load({ entity, fetchPlan: plan, filter })) {
    const found = owner[attribute];
    for (const member of Array.isArray(found) ? (found as readonly ReportRow[]) : [])
      yield cellsOfInstance(model, declared.target, member);
  }
}

/** Returns a nested plan inline, without its name. */
function planOf(model: Model, entity: string, fetchPlan: unknown): unknown {
  if (typeof fetchPlan !== 'string') return fetchPlan;
  const plan = model.fetchPlans.get(entity)?.get(fetchPlan);
  if (plan === undefined) throw new ReportFailure(`There is no fetch plan ${fetchPlan} of ${entity}`);
  return inline(plan);
}

const inline = ({ properties }: FetchPlan): unknown => ({
  properties: properties.map(({ name, plan }) => (plan === undefined ? name : { name, fetchPlan: inline(plan) })),
});

const textOf = (id: unknown): string =>
  typeof id === 'object' && id !== null && !('text' in id) ? JSON.stringify(id) : String(id);
