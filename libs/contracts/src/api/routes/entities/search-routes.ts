import {
  COUNT,
  inQuery,
  json,
  jsonText,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';
import { DYNAMIC_ATTRIBUTES, Q } from '../parameters.ts';
import { ANY_TEXTS, deletedOf, type EntitySubject, exampleOf, sentences } from './entity-subject.ts';
import { CURSOR, PAGING, PREFER, SEARCH_HEADERS } from './paging.ts';

/** A body has its page itself, but for the cursor of the link to the next one. */
const pagingOf = (method: 'get' | 'post'): readonly ParameterDescription[] =>
  method === 'get' ? PAGING : [CURSOR, PREFER];

/** A filter may name dynamic attributes. */
const countingOf = (method: 'get' | 'post'): readonly ParameterDescription[] =>
  method === 'get' ? [Q, DYNAMIC_ATTRIBUTES] : [];

/** A search without what a count does not use. */
const filterOf = (search: unknown): unknown =>
  typeof search === 'object' && search !== null && 'filter' in search ? { filter: search.filter } : undefined;

/** Searches and counts instances, with the filter in the URL or in the body. */
export function searchRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const filter = {
    ...inQuery('filter', 'Filter as JSON', jsonText(ref('Filter'), { conditions: [] })),
    required: true,
  };
  const { schema, examples = {}, suffix } = subject;
  const { name, reading } = subject.texts ?? ANY_TEXTS;
  const bodies = {
    '': { ...json('Filter, plan, order and page', ref('Search')), ...exampleOf(examples.search), required: true },
    '/count': { ...json('Filter', ref('CountRequest')), ...exampleOf(filterOf(examples.search)), required: true },
  };
  const found = { ...json('Instances', listOf(schema), SEARCH_HEADERS), isExported: true };
  const count = json('Number of matching instances', COUNT);
  const routes = [
    ['get', '', 'searchEntitiesByUrl', `Searches instances${name}; the filter is in the URL`, found],
    ['post', '', 'searchEntities', `Searches instances${name}`, found],
    ['get', '/count', 'countEntitiesByUrl', `Counts instances${name}; the filter is in the URL`, count],
    ['post', '/count', 'countEntities', `Counts instances${name}`, count],
  ] as const;
  return routes.map(([method, end, operationId, summary, response]) =>
    routeOf(subject.tags.search)(method, `${path}${end}`, `${operationId}${suffix}`, {
      summary,
      description: sentences(
        end === ''
          ? 'Returns a page of the instances that the filter matches and the caller may read.'
          : 'Returns the number of the instances that the filter matches and the caller may read.',
        'Conditions name attributes, also of referenced entities: `customer.name`.',
        reading,
      ),
      parameters: [
        ...subject.parameters,
        ...(method === 'get' ? [filter] : []),
        ...(end === '' ? pagingOf(method) : countingOf(method)),
        ...(method === 'get' ? deletedOf(subject) : []),
      ],
      ...(method === 'post' ? { request: bodies[end] } : {}),
      responses: { 200: response },
      errors: [404, 406],
    }),
  );
}
