import type { RouteDescription } from '../../route-description.ts';
import { MODEL_VERSION } from '../parameters.ts';
import { collectionRoutes } from './collection-routes.ts';
import type { EntitySubject } from './entity-subject.ts';
import { instanceRoutes } from './instance-routes.ts';
import { searchRoutes } from './search-routes.ts';

/**
 * The entity API (contract/reading.md#reading, contract/writing.md#writing).
 *
 * @param path e.g. `/rest/entities`
 */
export function entityRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const all = `${path}/${subject.segment}`;
  const routes = [
    ...collectionRoutes(all, subject),
    ...instanceRoutes(`${all}/{entityId}`, subject),
    ...searchRoutes(`${all}/search`, subject),
  ];
  return routes.map(withModelVersion);
}

/** A search by body has all of its parameters there. */
const withModelVersion = (route: RouteDescription): RouteDescription =>
  route.method === 'post' && route.path.includes('/search')
    ? route
    : { ...route, parameters: [...(route.parameters ?? []), MODEL_VERSION] };
