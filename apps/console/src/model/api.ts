import type { Model } from './model.ts';

/** Parts of the API that the client has no methods for, and where they are below the base path by default. */
const DEFAULTS = {
  rights: '/rights',
  clients: '/clients',
  apiKeys: '/api-keys',
  messages: '/messages',
  operations: '/operations',
  docs: '/docs',
  userSession: '/user-session',
} as const;

export type Endpoint = keyof typeof DEFAULTS;

type Connected = Pick<Model, 'connection' | 'settings'>;

/** Sends requests to such parts. */
export interface Api {
  get<T>(endpoint: Endpoint, path: string, query?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'DELETE', endpoint: Endpoint, path: string, json?: unknown): Promise<T>;
}

/** The path of a part of the API: as the server says, else below the base path. */
export const endpointOf = ({ settings, connection: { paths } }: Connected, endpoint: Endpoint): string =>
  (endpoint === 'userSession' || endpoint === 'messages' ? paths[endpoint] : settings.endpoints[endpoint]) ??
  `${paths.base}${DEFAULTS[endpoint]}`;

/** The requests, with the login of the connection. Those that create something are sent once. */
export const createApi = (model: Connected): Api => ({
  async get<T>(endpoint: Endpoint, path: string, query = {}, signal?: AbortSignal) {
    const parameters = new URLSearchParams(query).toString();
    const address = `${endpointOf(model, endpoint)}${path}${parameters === '' ? '' : `?${parameters}`}`;
    return (await model.connection.read({ method: 'GET', path: address, repeatable: true, signal })).body as T;
  },
  async send<T>(method: string, endpoint: Endpoint, path: string, json?: unknown) {
    const call = { method, path: `${endpointOf(model, endpoint)}${path}`, repeatable: method !== 'POST' };
    return (await model.connection.read({ ...call, ...(json !== undefined && { json }) })).body as T;
  },
});
