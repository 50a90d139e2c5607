import {
  COUNT,
  inPath,
  json,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
  type Schema,
  STRING,
} from '../../route-description.ts';
import {
  DYNAMIC_ATTRIBUTES,
  FETCH_PLAN,
  LIMIT,
  MODEL_VERSION,
  OFFSET,
  RETURN_COUNT,
  RETURN_NULLS,
} from '../parameters.ts';
import { entityNameParameter } from './entity-subject.ts';

/** What the routes of predefined queries are described for: any query, or one of the application. */
export interface QuerySubject {
  /** Segments of the path: `{entityName}/{queryName}`, or names. */
  readonly segments: string;
  readonly parameters: readonly ParameterDescription[];
  /** Parameters of the query in the URL, and in the body. */
  readonly inUrl: readonly ParameterDescription[];
  readonly inBody: Schema;
  /** A row of the result. */
  readonly row: Schema;
  readonly suffix: string;
  readonly tag: string;
  readonly example?: unknown;
  /** Texts of one query, in place of those of any. */
  readonly what?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

const QUERY_NAME = { ...inPath('queryName', 'Name of a predefined query of the entity, or `all`'), example: 'all' };
const CONTROLS = [FETCH_PLAN, LIMIT, OFFSET, RETURN_NULLS, RETURN_COUNT, DYNAMIC_ATTRIBUTES];
const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true };

/** Every query of every entity, by its name in the path. */
export const anyQuery = (entityName?: string): QuerySubject => ({
  segments: '{entityName}/{queryName}',
  parameters: [entityNameParameter(entityName), QUERY_NAME],
  inUrl: [],
  inBody: ANY_OBJECT,
  row: ANY_OBJECT,
  suffix: '',
  tag: 'Queries',
});

/** The list of the queries that the caller may run. `path` is e.g. `/rest/queries`. */
export const callableQueriesRoute = (path: string): RouteDescription =>
  routeOf('Queries')('get', path, 'listCallableQueries', {
    summary: 'Lists the predefined queries that the caller may run',
    description:
      'Returns the queries of all entities whose text names nothing that is hidden from the caller, with the types of their parameters.',
    responses: { 200: json('The queries', listOf(ref('CallableQuery'))) },
    errors: [406],
  });

/** The list of the queries of an entity. `path` is e.g. `/rest/queries`. */
export const queryListRoute = (path: string, entityName?: string): RouteDescription =>
  routeOf('Queries')('get', `${path}/{entityName}`, 'listQueries', {
    summary: 'Lists the predefined queries of an entity',
    description:
      'Returns the queries that the application defines for this entity, with the names and types of their parameters.',
    parameters: [entityNameParameter(entityName)],
    responses: { 200: json('The queries', listOf(ref('PredefinedQuery'))) },
    errors: [406],
  });

const DESCRIPTION =
  'The application defines the text of the query; the request gives the values of its parameters. `all` is the query for all instances.';

/** Runs and counts of a query (contract/reading.md#reading). `path` is e.g. `/rest/queries`. */
export function queryRoutes(path: string, subject: QuerySubject): readonly RouteDescription[] {
  const one = `${path}/${subject.segments}`;
  const rows = json('Instances, or objects of the selected values', listOf(subject.row), {
    'X-Total-Count': 'Number of all rows of the query, if requested',
  });
  const total = {
    description: 'Number of all rows of the query',
    content: { 'application/json': COUNT, 'text/plain': STRING },
  };
  return (['get', 'post'] as const).flatMap((method): readonly RouteDescription[] => {
    const isPost = method === 'post';
    const from = isPost ? 'its parameters are in the body' : 'its parameters are in the URL';
    const end = `${isPost ? '' : 'ByUrl'}${subject.suffix}`;
    const own = [...subject.parameters, ...(isPost ? [] : subject.inUrl)];
    const sent = subject.example === undefined ? {} : { example: subject.example };
    const common = {
      method,
      tag: subject.tag,
      deprecated: subject.deprecated === true,
      ...(isPost
        ? { request: { ...json('The parameters of the query', subject.inBody), ...sent, required: true } }
        : {}),
      errors: [404, 406],
    };
    return [
      {
        ...common,
        path: one,
        operationId: `runQuery${end}`,
        summary: `Runs ${subject.what ?? 'a predefined query'}; ${from}`,
        description: `${subject.description ?? DESCRIPTION} Only instances that the caller may read are returned.`,
        parameters: [...own, ...CONTROLS, MODEL_VERSION],
        responses: { 200: { ...rows, isExported: true } },
      },
      {
        ...common,
        path: `${one}/count`,
        operationId: `countQuery${end}`,
        summary: `Counts the rows of ${subject.what ?? 'a predefined query'}; ${from}`,
        description: `${subject.description ?? DESCRIPTION} Returns the number of the rows that the caller may read.`,
        parameters: [...own, MODEL_VERSION],
        responses: { 200: total },
      },
    ];
  });
}
