import { as } from '../api.ts';
import type { OpenApi } from './read-document.ts';

export const GENERIC = '/rest/docs/openapi';
export const DETAILED = '/rest/docs/openapiDetailed';
export const REPORTS = '/rest/reports/docs/openapi';

/** Requests a document as an administrator. */
export const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  as('admin', 'GET', path.replace(/^\/rest/, ''), { headers });
const read = async (path: string, headers?: Readonly<Record<string, string>>): Promise<OpenApi> =>
  (await ask(`${path}.json`, headers)).json();

export const [generic, detailed, reports] = await Promise.all([read(GENERIC), read(DETAILED), read(REPORTS)]);
const OLDER = await Promise.all(
  [GENERIC, DETAILED, REPORTS].map(async (path) => (await ask(`${path}.json?openapi=3.0`)).json()),
);
/** All documents, in both versions of OpenAPI. */
export const NAMED: readonly (readonly [string, OpenApi])[] = [
  ['generic', generic],
  ['detailed', detailed],
  ['reports', reports],
  ['generic 3.0', OLDER[0]],
  ['detailed 3.0', OLDER[1]],
  ['reports 3.0', OLDER[2]],
];
