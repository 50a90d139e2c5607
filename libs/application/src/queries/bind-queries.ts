import { suggestion } from '@lintel/errors';
import { fingerprint, type Model } from '@lintel/metadata';
import { checkSelect, parameterTypeNamed, parseSelect, QuerySyntaxError, type SelectQuery } from '@lintel/query';
import { serverParameterProblem } from '@lintel/security';
import { deprecationProblem } from '../deprecation.ts';
import { throwProblems } from '../invalid-application.ts';
import type { LocatedQuery } from './parse-queries.ts';
import {
  type PredefinedQueries,
  type PredefinedQuery,
  type QueryDefinition,
  QueryDefinitionError,
} from './query-definition.ts';

/** Every entity has this query without a definition: all rows, by their names. */
export const IMPLICIT_QUERY = 'all';

/** URL parameters that every query has. */
const CONTROLS = [
  'limit',
  'offset',
  'fetchPlan',
  'view',
  'returnNulls',
  'returnCount',
  'dynamicAttributes',
  'modelVersion',
];

/**
 * Checks predefined queries against the model.
 *
 * @param namedPlansKnown false if the application's fetch plans could not be read: then only built-in ones are known,
 *   and unknown ones are no problem
 * @throws QueryDefinitionError, or ApplicationError with several problems: the position and the expected text; both positions for two queries
 *   of one entity and name (contract/decisions.md#66)
 */
export function bindQueries(located: readonly LocatedQuery[], model: Model, namedPlansKnown = true): PredefinedQueries {
  const { queries, problems } = collectQueries(located, model, namedPlansKnown);
  throwProblems(problems);
  return queries;
}

/** The problems of queries in code, as far as they do not depend on named fetch plans: one sentence each. */
export const codeQueryProblems = (definitions: readonly QueryDefinition[], model: Model): readonly string[] =>
  collectQueries(definitions.map(locatedInCode), model, false).problems.map(({ message }) => message);

function collectQueries(
  located: readonly LocatedQuery[],
  model: Model,
  namedPlansKnown: boolean,
): { readonly queries: PredefinedQueries; readonly problems: readonly QueryDefinitionError[] } {
  const queries = new Map<string, Map<string, PredefinedQuery>>();
  const definedAt = new Map<string, string>();
  const problems: QueryDefinitionError[] = [];
  for (const one of located) {
    const { name, entity, deprecated } = one.definition;
    const problem = deprecated === undefined ? undefined : deprecationProblem(deprecated);
    if (problem !== undefined) problems.push(new QueryDefinitionError(one.where, problem));
    const key = JSON.stringify([entity, name]);
    const first = definedAt.get(key);
    if (first !== undefined)
      problems.push(new QueryDefinitionError(one.where, `the query is defined twice: ${first} and ${one.definedAt}`));
    definedAt.set(key, one.definedAt);
    try {
      const named = queries.get(entity) ?? new Map<string, PredefinedQuery>();
      named.set(name, bindQuery(one, model, namedPlansKnown));
      queries.set(entity, named);
    } catch (error) {
      if (!(error instanceof QueryDefinitionError)) throw error;
      problems.push(error);
    }
  }
  return { queries, problems };
}

/** A query that was defined in code: positions are those of its own text. */
export const locatedInCode = (definition: QueryDefinition): LocatedQuery => ({
  definition,
  where: `query ${definition.name} of ${definition.entity}`,
  definedAt: 'in the code of the application',
  positionOf: (line, column) => ({ line, column }),
});

function bindQuery(located: LocatedQuery, model: Model, namedPlansKnown: boolean): PredefinedQuery {
  const { definition, where } = located;
  const refuse = (problem: string): QueryDefinitionError => new QueryDefinitionError(where, problem);
  const { name, entity: entityName } = definition;
  if (name.toLowerCase() === IMPLICIT_QUERY) throw refuse(`the name ${IMPLICIT_QUERY} is reserved`);
  if (!/^[^/?#\s]+$/.test(name) || name === 'count') throw refuse(`"${name}" is no name of a query`);
  const entity = model.entities.get(entityName);
  if (entity?.kind !== 'entity')
    throw refuse(`there is no stored entity ${entityName}${suggestion(entityName, model.entities.keys())}`);
  assertCount(definition, 'limit', refuse);
  assertCount(definition, 'offset', refuse);
  const declared = Object.entries(definition.parameters ?? {}).map(([parameter, typeName]) => {
    if (CONTROLS.includes(parameter)) throw refuse(`${parameter} is a parameter of every query: choose another name`);
    const type = parameterTypeNamed(model, typeName);
    if (type === undefined)
      throw refuse(`the parameter ${parameter} is of the unknown type ${typeName}: expected a datatype or an enum`);
    return { name: parameter, typeName, ...type };
  });
  const { select, returns, entities, serverParameters } = inText(located, () => {
    const parsed: SelectQuery = parseSelect(definition.text);
    return { select: parsed, ...checkSelect(model, entity, parsed, declared) };
  });
  const unknown = serverParameterProblem(model, serverParameters);
  if (unknown !== undefined) throw refuse(unknown);
  if (namedPlansKnown) assertFetchPlan(definition, returns, model, refuse);
  const key = fingerprint([entityName, name, definition.text, definition.parameters ?? {}]);
  return Object.freeze({ ...definition, key, select, declared, returns, entities });
}

type Refuse = (problem: string) => QueryDefinitionError;

function assertCount(definition: QueryDefinition, name: 'limit' | 'offset', refuse: Refuse): void {
  const value = definition[name];
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
    throw refuse(`expected a whole number that is not negative for ${name}, found ${value}`);
}

function assertFetchPlan(
  { fetchPlan, entity }: QueryDefinition,
  returns: PredefinedQuery['returns'],
  model: Model,
  refuse: Refuse,
): void {
  if (returns === 'values') {
    if (fetchPlan !== undefined) throw refuse('a query that selects values has no fetch plan');
    return;
  }
  const plans = model.fetchPlans.get(entity);
  const known = [...(plans?.keys() ?? [])].join(', ');
  if (fetchPlan === undefined) throw refuse(`expected a fetch plan: ${known}`);
  if (plans?.has(fetchPlan) !== true)
    throw refuse(
      `there is no fetch plan ${fetchPlan} of ${entity}: expected ${known}${suggestion(fetchPlan, plans?.keys() ?? [])}`,
    );
}

/** Adds the position in the file to errors of the text. */
function inText<R>({ where, positionOf }: LocatedQuery, read: () => R): R {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof QuerySyntaxError)) {
      if (cause instanceof Error) throw new QueryDefinitionError(where, cause.message, { cause });
      throw cause;
    }
    const { line, column } = positionOf(cause.line, cause.column);
    const reason = cause.message.replace(/ \(line \d+, column \d+\)$/, '');
    throw new QueryDefinitionError(`${where}, line ${line}, column ${column}`, reason, { cause });
  }
}
