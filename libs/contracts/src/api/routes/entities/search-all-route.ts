import { inQuery, json, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { INTEGERS } from '../integers.ts';
import { HIGHLIGHTS, Q } from '../parameters.ts';

/** Search in all entities (contract/search.md#all); `path` is `/rest/search`. */
export const searchAllRoute = (path: string): RouteDescription =>
  routeOf('Search')('get', path, 'searchAll', {
    summary: 'Searches instances of all entities',
    description:
      'Returns the best matches of each entity with searchable attributes that the caller may read. Of more matches than `candidates`, any of that number are ranked.',
    parameters: [
      { ...Q, required: true, example: 'brandt' },
      inQuery('entities', 'Names of entities with commas; all without it'),
      INTEGERS.found,
      HIGHLIGHTS,
    ],
    responses: { 200: json('Instances by entity', ref('FoundInstances'), { ETag: 'Tag of the response' }) },
    errors: [404, 406],
  });
