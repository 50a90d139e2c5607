import type { ReportParameter } from '@lintel/application';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import { type ExactJson, isExactObject, parseFilter, QUANTIFIERS, readExactJson, UNLIMITED } from '@lintel/query';
import { pathProblem } from '@lintel/security';

/** Why forms cannot search with the `lookupFilter` of a parameter; undefined if they can. */
export function lookupProblem({ lookupFilter, type, entity }: ReportParameter, model: Model): string | undefined {
  if (lookupFilter === undefined) return undefined;
  if (type !== 'ENTITY' && type !== 'ENTITY_LIST') return 'only ENTITY and ENTITY_LIST have a lookupFilter';
  if (model.entities.get(entity ?? '')?.kind !== 'entity') return undefined;
  const filter = readExactJson(JSON.stringify(lookupFilter));
  try {
    parseFilter(filter, UNLIMITED);
  } catch (error) {
    return `lookupFilter: ${(error as Error).message}`;
  }
  const problem = problemIn(filter, entityOf(model, entity ?? ''), model);
  return problem && `lookupFilter: ${problem}`;
}

/**
 * The first path of the conditions that leads nowhere. Dynamic attributes, which begin with +, are in the database.
 *
 * @param above the path of the collection whose members the node is about, with a dot
 */
function problemIn(node: ExactJson, entity: Entity, model: Model, above = ''): string | undefined {
  if (!isExactObject(node)) return undefined;
  const { property, conditions } = node;
  if (typeof property === 'string' && property.includes('+')) return undefined;
  const collection = QUANTIFIERS.map((name) => node[name]).find((path) => typeof path === 'string');
  const path = property ?? collection;
  const problem = typeof path === 'string' ? pathProblem(model, entity, `${above}${path}`) : undefined;
  if (problem !== undefined || !Array.isArray(conditions)) return problem;
  const inside = typeof collection === 'string' ? `${above}${collection}.` : above;
  return conditions.map((each) => problemIn(each, entity, model, inside)).find((found) => found !== undefined);
}
