import {
  inQuery,
  json,
  jsonText,
  listOf,
  type RouteDescription,
  ref,
  routeOf,
  type Schema,
} from '../../route-description.ts';
import { LIMIT, OFFSET, Q, RETURN_COUNT } from '../parameters.ts';
import { entityNameParameter } from './entity-subject.ts';
import { CURSOR, LIST_HEADERS, PREFER } from './paging.ts';

const ROW: Schema = { type: 'object', additionalProperties: true };
const COUNTED = { aggregates: { n: { count: '*' } } };

/** Groups of instances with aggregates, in the URL and in the body. `path` is e.g. `/rest/aggregates`. */
export const aggregateRoutes = (path: string, exampleEntity?: string): readonly RouteDescription[] =>
  (['get', 'post'] as const).map((method) =>
    routeOf('Search')(method, `${path}/{entityName}`, `aggregate${method === 'get' ? 'ByUrl' : ''}`, {
      summary: `Groups and aggregates instances${method === 'get' ? '; the members are in the URL' : ''}`,
      description:
        'Returns a row for each group of the instances that the filter matches and the caller may read; without `groupBy` one row.',
      parameters: [
        entityNameParameter(exampleEntity),
        ...(method === 'get'
          ? [
              inQuery('groupBy', 'Groups as JSON', jsonText(ref('GroupBy'), [])),
              inQuery('aggregates', 'Aggregates as JSON', jsonText(ref('Aggregates'), COUNTED.aggregates)),
              inQuery('filter', 'Filter as JSON', jsonText(ref('Filter'), { conditions: [] })),
              inQuery('having', 'Conditions of the groups as JSON', jsonText(ref('Filter'), { conditions: [] })),
              inQuery('sort', 'Names of the response with commas; `-` sorts descending'),
              Q,
              LIMIT,
              OFFSET,
              RETURN_COUNT,
            ]
          : []),
        CURSOR,
        PREFER,
      ],
      ...(method === 'post'
        ? { request: { ...json('Groups and aggregates', ref('AggregateRequest')), example: COUNTED, required: true } }
        : {}),
      responses: {
        200: {
          ...json('Groups', listOf(ROW), { ...LIST_HEADERS, 'X-Total-Count': 'Number of all groups, if requested' }),
          isExported: true,
        },
      },
      errors: [406],
    }),
  );
