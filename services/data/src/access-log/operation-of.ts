import { AGGREGATES_PATH, HISTORY_PATH, IMPORTS_PATH, SEARCH_PATH } from '@lintel/contracts';
import type { RequestCheck } from '@lintel/http';
import { noteOperation } from '@lintel/telemetry';
import type { DataConfig } from '../config.ts';

type Paths = Pick<DataConfig['paths'], 'entitiesPath' | 'queriesPath' | 'servicesPath'>;

/** Notes in which operation a request of the API reads instances (contract/access-log.md#recorded). */
export const noteOperationOf =
  (paths: Paths): RequestCheck =>
  ({ method = '', path }) =>
    noteOperation(operationOf(paths, method, path));

function operationOf(paths: Paths, method: string, path: string): string {
  const isBelow = (base: string): boolean => path.startsWith(`${base}/`);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isBelow(paths.entitiesPath)) {
    const [, id = ''] = path.slice(paths.entitiesPath.length + 1).split('/');
    if (id === 'search') return 'search';
    if (!isRead) return 'write';
    return id === '' ? 'list' : 'read';
  }
  if (path === SEARCH_PATH) return 'search';
  if (isBelow(paths.queriesPath) || isBelow(AGGREGATES_PATH)) return 'query';
  if (isBelow(paths.servicesPath)) return 'service';
  if (isBelow(HISTORY_PATH) || path === HISTORY_PATH) return isRead ? 'history' : 'write';
  return isBelow(IMPORTS_PATH) ? 'write' : 'other';
}
