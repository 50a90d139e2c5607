import type {
  AggregatesDataSet,
  EntitiesDataSet,
  EntityDataSet,
  EntityListDataSet,
  QueryDataSet,
  ReportBand,
  ReportDataSet,
  ReportDefinition,
  ReportParameter,
  SqlDataSet,
} from '@lintel/application';
import { compileJsonPath, ROOT_BAND, setsOfCrossBand } from '@lintel/documents';
import { isPlatformError, suggestion } from '@lintel/errors';
import { type Datatype, type Entity, type FetchPlan, isToMany, type Model } from '@lintel/metadata';
import {
  describeAggregates,
  describeSelect,
  type ExactObject,
  isExactObject,
  type LiteralType,
  parseAggregates,
  parseDataSetText,
  parseSelect,
  placeholdersOf,
  type QueryParameter,
  readExactJson,
  resolveFetchPlan,
  resolveRead,
  type SelectedValue,
  UNLIMITED,
  writeDataSetText,
} from '@lintel/query';
import { pathProblem } from '@lintel/security';
import { nextIteration } from '@lintel/timing';

/** What the data sets of a band may refer to. */
export interface ValidationScope {
  readonly model: Model;
  readonly parameters: ReadonlyMap<string, ReportParameter>;
  /** Names of the bands above, whose fields may be used. */
  readonly above: readonly string[];
  /** Names of the axes that are parameters. */
  readonly axes: readonly string[];
  readonly queries: DescribedQueries;
}

type Description = ReturnType<typeof describeSelect>;
/** Queries of a report that were parsed before, with their problems. */
export type DescribedQueries = Map<QueryDataSet, Description | Error>;

/** Parses the queries of a report in steps, each in its own iteration of the event loop; a step takes up to 50 ms. */
export async function describeQueries(report: ReportDefinition, model: Model): Promise<DescribedQueries> {
  const queries: DescribedQueries = new Map();
  const scope = { model, parameters: parametersOf(report), above: [], queries };
  const describeBand = async ({ name, dataSets = [], bands = [] }: ReportBand): Promise<void> => {
    for (const set of dataSets) {
      if (set.kind !== 'query') continue;
      const steps = describe(set, { ...scope, axes: axesOf(name) });
      while (steps.next().done !== true) await nextIteration();
    }
    for (const band of bands) await describeBand(band);
  };
  await describeBand({ name: ROOT_BAND, dataSets: report.rootDataSets ?? [], bands: report.bands });
  return queries;
}

export const parametersOf = ({ parameters = [] }: ReportDefinition): ValidationScope['parameters'] =>
  new Map(parameters.map((parameter) => [parameter.alias, parameter]));

const axesOf = (band: string): readonly string[] => [`${band}_dynamic_header`, `${band}_master_data`];

/** Returns the problems of the data sets of a report: of names, texts and paths. */
export function dataSetProblems(
  report: ReportDefinition,
  model: Model,
  queries: DescribedQueries = new Map(),
): readonly string[] {
  const root: ValidationScope = { model, parameters: parametersOf(report), above: [], axes: [], queries };
  return [
    ...setProblems(ROOT_BAND, report.rootDataSets ?? [], root),
    ...report.bands.flatMap((band) => bandProblems(band, { ...root, above: [ROOT_BAND] })),
  ];
}

function bandProblems(band: ReportBand, scope: ValidationScope): readonly string[] {
  const { name, dataSets = [], bands = [] } = band;
  if (band.orientation === 'cross') {
    const { columns, rows, cells } = setsOfCrossBand(band);
    const inCells = { ...scope, axes: axesOf(name) };
    return [...setProblems(name, [...columns, ...rows], scope), ...setProblems(name, cells, inCells)];
  }
  const below = { ...scope, above: [...scope.above, name] };
  return [...setProblems(name, dataSets, scope), ...bands.flatMap((child) => bandProblems(child, below))];
}

function setProblems(band: string, sets: readonly ReportDataSet[], scope: ValidationScope): readonly string[] {
  return sets.flatMap((set) => {
    try {
      const problem = problemOf(set, scope);
      return problem === undefined ? [] : [`band ${band}, data set ${set.name}: ${problem}`];
    } catch (error) {
      return [`band ${band}, data set ${set.name}: ${(error as Error).message}`];
    }
  });
}

/** @throws Error with the problem of a text */
function problemOf(set: ReportDataSet, scope: ValidationScope): string | undefined {
  switch (set.kind) {
    case 'entities':
      return entitiesProblem(set, scope);
    case 'query':
      return textProblem(set.query, scope) ?? queryProblem(set, scope);
    case 'sql':
      return textProblem((set satisfies SqlDataSet).sql, scope);
    case 'aggregates':
      describeQuestion(set, scope.model);
      return undefined;
    case 'entity':
      return entityProblem(set, scope);
    case 'entityList':
      return entityListProblem(set, scope);
    case 'collection':
      return fieldProblem(set.field, scope);
    case 'json':
      compileJsonPath(set.path);
      if (!('parameter' in set.source) || scope.parameters.has(set.source.parameter)) return undefined;
      return `there is no parameter ${set.source.parameter}${suggestion(set.source.parameter, scope.parameters.keys())}`;
    case 'function':
    case 'batch':
      return undefined;
    default:
      return set satisfies never;
  }
}

/**
 * The values of the rows of a question.
 *
 * @throws Error with the problem of a name, path or member
 */
export function describeQuestion(
  { entity: name, question }: AggregatesDataSet,
  model: Model,
): readonly SelectedValue[] {
  const entity = model.entities.get(name);
  if (entity?.kind !== 'entity')
    throw new Error(`there is no entity ${name}${suggestion(name, model.entities.keys())}`);
  const members = readExactJson(JSON.stringify(question)) as ExactObject;
  try {
    const parsed = parseAggregates({ entityName: name, members }, { inlineFetchPlansEnabled: true }, UNLIMITED);
    const { selection } = resolveRead(parsed, model);
    if (selection === undefined) throw new Error('Aggregates are a selection');
    return describeAggregates(selection);
  } catch (error) {
    throw isPlatformError(error) ? new Error(error.details, { cause: error }) : error;
  }
}

function entitiesProblem(
  { entity: name, fetchPlan, sort, below }: EntitiesDataSet,
  scope: ValidationScope,
): string | undefined {
  const entity = scope.model.entities.get(name);
  if (entity?.kind !== 'entity') return `there is no entity ${name}${suggestion(name, scope.model.entities.keys())}`;
  const sorted = (sort ?? '')
    .split(',')
    .map((key) => key.trim().replace(/^[+-]/, ''))
    // Dynamic attributes begin with +; the database defines them.
    .filter((path) => path !== '' && !path.includes('+'));
  for (const path of below === undefined ? sorted : [...sorted, below.attribute]) {
    const problem = pathProblem(scope.model, entity, path);
    if (problem !== undefined) return problem;
  }
  return planProblem(fetchPlan, entity, scope) ?? (below === undefined ? undefined : fieldProblem(below.field, scope));
}

/** @throws Error with the problem of an inline plan */
function planProblem(fetchPlan: unknown, entity: Entity, { model }: ValidationScope): string | undefined {
  if (typeof fetchPlan === 'string' && !fetchPlan.trim().startsWith('{')) {
    const plans = model.fetchPlans.get(entity.name) ?? new Map();
    if (plans.has(fetchPlan)) return undefined;
    return `there is no fetch plan ${fetchPlan} of ${entity.name}${suggestion(fetchPlan, plans.keys())}`;
  }
  inlinePlan(fetchPlan, entity, model);
  return undefined;
}

/**
 * Resolves an inline plan; undefined for one with dynamic attributes, whose names begin with +.
 *
 * @throws Error with the problem of the plan
 */
function inlinePlan(fetchPlan: unknown, entity: Entity, model: Model): FetchPlan | undefined {
  const json =
    typeof fetchPlan === 'string' ? readExactJson(fetchPlan) : readExactJson(JSON.stringify(fetchPlan ?? null));
  // An inline plan may leave out its entity.
  if (!isExactObject(json) || JSON.stringify(json).includes('"+')) return undefined;
  return resolveFetchPlan({ kind: 'inline', definition: { entity: entity.name, ...json } }, entity, model, UNLIMITED);
}

/** Returns a plan by its name, or an inline one; undefined where its attributes are not known. */
export const planOf = (fetchPlan: unknown, entity: Entity, model: Model): FetchPlan | undefined =>
  typeof fetchPlan === 'string' && !fetchPlan.trim().startsWith('{')
    ? model.fetchPlans.get(entity.name)?.get(fetchPlan)
    : inlinePlan(fetchPlan, entity, model);

function fieldProblem(field: string, { above }: ValidationScope): string | undefined {
  const band = field.slice(0, Math.max(0, field.indexOf('.')));
  return above.includes(band) ? undefined : `${field} is no field of a band above: expected ${above.join(', ')}`;
}

function textProblem(source: string, scope: ValidationScope): string | undefined {
  for (const name of placeholdersOf(parseDataSetText(source))) {
    const isAxis = scope.axes.some((axis) => name.startsWith(`${axis}_`));
    if (scope.parameters.has(name) || isAxis || fieldProblem(name, scope) === undefined) continue;
    return `there is no parameter ${name}, and it is no field of a band above${suggestion(name, scope.parameters.keys())}`;
  }
  return undefined;
}

function queryProblem(set: QueryDataSet, scope: ValidationScope): string | undefined {
  const { fetchPlan } = set;
  const { entity, values } = describeQuery(set, scope);
  if (fetchPlan === undefined) return undefined;
  return values === undefined ? planProblem(fetchPlan, entity, scope) : 'a query that selects values has no fetch plan';
}

/**
 * Parses the query with a value for every parameter.
 *
 * @throws Error with the problem of its text
 */
export function describeQuery(set: QueryDataSet, scope: ValidationScope): Description {
  const steps = describe(set, scope);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  if (step.value instanceof Error) throw step.value;
  return step.value;
}

function* describe(set: QueryDataSet, scope: ValidationScope): Generator<undefined, Description | Error> {
  let described = scope.queries.get(set);
  if (described !== undefined) return described;
  yield;
  try {
    described = yield* parseQuery(set, scope);
  } catch (error) {
    described = error as Error;
  }
  scope.queries.set(set, described);
  return described;
}

function* parseQuery(
  { query }: QueryDataSet,
  { model, parameters, axes }: ValidationScope,
): Generator<undefined, Description> {
  const used: QueryParameter[] = [];
  const isList = (name: string): boolean =>
    parameters.get(name)?.type === 'ENTITY_LIST' || axes.some((axis) => name.startsWith(`${axis}_`));
  const written = writeDataSetText(parseDataSetText(query), {
    isMissing: () => false,
    isList,
    write: (name) => {
      const type = typeOf(parameters.get(name), model);
      const fallback: LiteralType = { kind: 'datatype', datatype: 'string' };
      const index = used.push({
        name: `p${used.length}`,
        type: type ?? fallback,
        isList: isList(name),
        isOpen: type === undefined,
      });
      return `:p${index - 1}`;
    },
  });
  yield;
  const select = parseSelect(written);
  yield;
  return describeSelect(model, select, used);
}

const DATATYPES: Readonly<Partial<Record<ReportParameter['type'], Datatype>>> = {
  BOOLEAN: 'boolean',
  NUMERIC: 'decimal',
  DATE: 'localDate',
  TIME: 'localTime',
  DATETIME: 'localDateTime',
};

function typeOf(parameter: ReportParameter | undefined, model: Model): LiteralType | undefined {
  const enumeration = parameter?.type === 'ENUMERATION' ? model.enums.get(parameter.enumeration ?? '') : undefined;
  if (enumeration !== undefined) return { kind: 'enum', enumeration };
  const datatype = parameter === undefined ? undefined : DATATYPES[parameter.type];
  // The type of a transformed value is known only when the transformation runs.
  return datatype === undefined || parameter?.transformation !== undefined ? undefined : { kind: 'datatype', datatype };
}

function entityProblem({ parameter = 'entity' }: EntityDataSet, { parameters }: ValidationScope): string | undefined {
  return parameters.get(parameter)?.type === 'ENTITY' ? undefined : `there is no ENTITY parameter ${parameter}`;
}

function entityListProblem(
  { parameter = 'entities' }: EntityListDataSet,
  { parameters, model }: ValidationScope,
): string | undefined {
  const [alias = '', attribute] = parameter.split('#');
  const declared = parameters.get(alias);
  if (attribute === undefined)
    return declared?.type === 'ENTITY_LIST' ? undefined : `there is no ENTITY_LIST parameter ${alias}`;
  if (declared?.type !== 'ENTITY') return `there is no ENTITY parameter ${alias}`;
  const found = model.entities.get(declared.entity ?? '')?.attributes.get(attribute);
  const isCollection = found?.kind === 'reference' && isToMany(found);
  return isCollection ? undefined : `${declared.entity}.${attribute} is no collection`;
}
