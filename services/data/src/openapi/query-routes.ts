import {
  BOOLEAN,
  COUNT,
  inPath,
  inQuery,
  json,
  listOf,
  MODEL_VERSION,
  type RouteDescription,
  ref,
} from './route-description.ts';

const TAG = 'Queries';
const entityName = inPath('entityName', 'Name of an entity of the application');
const queryName = inPath('queryName', 'Name of a predefined query of the entity, or `all`');
const controls = [
  inQuery('fetchPlan', 'Name of a fetch plan, or an inline plan as JSON, instead of the one of the query'),
  inQuery('limit', 'Greatest number of rows', COUNT),
  inQuery('offset', 'Zero-based position of the first row', COUNT),
  inQuery('returnNulls', 'Whether attributes without a value are listed as null', BOOLEAN),
  inQuery('returnCount', 'Whether `X-Total-Count` is sent', BOOLEAN),
  inQuery('dynamicAttributes', 'Whether dynamic attributes are shown', BOOLEAN),
];
const rows = json(
  'Instances, or objects of the selected values',
  { type: 'array', items: { type: 'object', additionalProperties: true } },
  { 'X-Total-Count': 'Number of all rows of the query, when asked for' },
);
const total = {
  description: 'Number of all rows of the query',
  content: { 'application/json': COUNT, 'text/plain': COUNT },
};
const body = {
  ...json('The parameters of the query', { type: 'object', additionalProperties: true }),
  required: true,
};

/** `path` is the path of the predefined queries, e.g. `/rest/queries`. */
export const queryRoutes = (path: string): readonly RouteDescription[] => [
  {
    method: 'get',
    path: `${path}/{entityName}`,
    operationId: 'listQueries',
    tag: TAG,
    summary: 'Lists the predefined queries of an entity',
    parameters: [entityName],
    responses: { 200: json('The queries', listOf(ref('PredefinedQuery'))) },
    errors: [403, 404],
  },
  ...(['get', 'post'] as const).flatMap((method): readonly RouteDescription[] => {
    const isPost = method === 'post';
    const from = isPost ? 'its parameters are in the body' : 'its parameters are in the URL';
    const common = {
      method,
      tag: TAG,
      ...(isPost ? { request: body } : {}),
      errors: [400, 403, 404],
    };
    const one = `${path}/{entityName}/{queryName}`;
    return [
      {
        ...common,
        path: one,
        operationId: isPost ? 'runQuery' : 'runQueryByUrl',
        summary: `Runs a predefined query; ${from}`,
        parameters: [entityName, queryName, ...controls, MODEL_VERSION],
        responses: { 200: rows },
      },
      {
        ...common,
        path: `${one}/count`,
        operationId: isPost ? 'countQuery' : 'countQueryByUrl',
        summary: `Counts the rows of a predefined query; ${from}`,
        parameters: [entityName, queryName, MODEL_VERSION],
        responses: { 200: total },
      },
    ];
  }),
];
