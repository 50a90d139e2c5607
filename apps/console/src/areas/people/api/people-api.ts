import type { Model } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';

/** Parts of the API that the client has no methods for. */
export type PeopleEndpoint = keyof typeof DEFAULTS;

/** Below the base path, unless the server says otherwise. */
const DEFAULTS = {
  rights: '/rights',
  clients: '/clients',
  apiKeys: '/api-keys',
  userSession: '/user-session',
  operations: '/operations',
} as const;

/** Sends requests to them. */
export interface PeopleApi {
  get<T>(endpoint: PeopleEndpoint, path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'DELETE', endpoint: PeopleEndpoint, path: string, json?: unknown): Promise<T>;
}

/** Where a part of the API is: as the server says, else below the base path. */
const endpointOf = ({ settings, connection }: Model, endpoint: PeopleEndpoint): string =>
  (endpoint === 'userSession' ? connection.paths.userSession : settings.endpoints[endpoint]) ??
  `${connection.paths.base}${DEFAULTS[endpoint]}`;

/** The requests of this area, with the login of the user. */
export function usePeopleApi(): PeopleApi {
  const model = useModel();
  return createPeopleApi(model);
}

export const createPeopleApi = (model: Model): PeopleApi => ({
  async get<T>(endpoint: PeopleEndpoint, path: string, query: Readonly<Record<string, string>> = {}) {
    const parameters = new URLSearchParams(query).toString();
    const address = `${endpointOf(model, endpoint)}${path}${parameters === '' ? '' : `?${parameters}`}`;
    return (await model.connection.read({ method: 'GET', path: address, repeatable: true })).body as T;
  },
  async send<T>(method: string, endpoint: PeopleEndpoint, path: string, json?: unknown) {
    const call = { method, path: `${endpointOf(model, endpoint)}${path}`, repeatable: method !== 'POST' };
    return (await model.connection.read({ ...call, ...(json !== undefined && { json }) })).body as T;
  },
});
