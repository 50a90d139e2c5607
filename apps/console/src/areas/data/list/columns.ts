import type { DetailedEntityInfo, FetchPlanInfo } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES, isToMany, type PathModel, type ResolvedPath, resolvePath } from '@lintel/react';
import { inUiOrder } from '../ui-hints.ts';

const SHOWN_AT_FIRST = 6;

/** Whether the platform keeps the attribute: it is shown first only where there are no others. */
export const isSystem = (name: string): boolean => name === 'id' || AUTOMATIC_ATTRIBUTES.has(name);

/**
 * The columns of a list without a choice: those of the list plan of the model, else the first attributes with one value;
 * what the user may not view is left out.
 */
export function firstColumnsOf(entity: DetailedEntityInfo, model: PathModel): readonly ResolvedPath[] {
  const { entityName, properties, ui } = entity;
  const planned = ui?.listPlan === undefined ? [] : columnsOfPlan(ui.listPlan, entityName, model);
  if (planned.length > 0) return planned;
  const names = inUiOrder(entity, properties)
    .filter((each) => !isToMany(each) && each.type !== 'byteArray' && each.writeOnly !== true)
    .filter((each) => each.ui?.widget !== 'hidden')
    .map(({ name }) => name);
  const columns = names.map((name) => resolvePath(model, entityName, name)).filter((column) => column !== undefined);
  const own = columns.filter(({ path }) => !isSystem(path));
  return (own.length > 0 ? own : columns).slice(0, SHOWN_AT_FIRST);
}

/** The attributes of a fetch plan that can be columns: those with one value that the user may view. */
export const columnsOfPlan = (plan: FetchPlanInfo, entityName: string, model: PathModel): readonly ResolvedPath[] =>
  pathsOf(plan)
    .map((path) => resolvePath(model, entityName, path))
    .filter((column) => column !== undefined)
    .filter(({ isMany }) => !isMany);

/** The paths of the attributes of a fetch plan; of a reference with a plan, those of the plan. */
const pathsOf = ({ properties }: FetchPlanInfo): readonly string[] =>
  properties.flatMap((each) => {
    if (typeof each === 'string') return [each];
    // A column of a reference has its name.
    const nested = each.fetchPlan.name === '_instance_name' ? [] : pathsOf(each.fetchPlan);
    return nested.length === 0 ? [each.name] : nested.map((path) => `${each.name}.${path}`);
  });

/** Whether the server can sort by a path: its values are stored, and have an order. */
export const isSortable = ({ attribute, isMany, isStored }: ResolvedPath): boolean =>
  isStored &&
  !isMany &&
  (attribute.attributeType === 'ENUM' ||
    (attribute.attributeType === 'DATATYPE' && !['json', 'fileRef', 'byteArray'].includes(attribute.type)));
