// Copied by "lintel client"; the types of the application are in index.ts of the same folder.

/** The types of an application: entities with their fetch plans and queries, and services. */
export interface ApiTypes {
  readonly entities: Readonly<Record<string, EntityTypes>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, CallTypes>>>>;
}

export interface EntityTypes {
  /** Everything that an instance can show; what it shows is decided by fetch plan and rights. */
  readonly instance: object;
  /** What the named fetch plans show. */
  readonly plans: object;
  readonly queries: Readonly<Record<string, CallTypes>>;
}

export interface CallTypes {
  readonly parameters: object;
  readonly result: unknown;
}

type Name<T> = Extract<keyof T, string>;
type EntityName<A extends ApiTypes> = Name<A['entities']>;
type PlanName<A extends ApiTypes, E extends EntityName<A>> = Name<A['entities'][E]['plans']>;
type QueryName<A extends ApiTypes, E extends EntityName<A>> = Name<A['entities'][E]['queries']>;
type InstanceOf<A extends ApiTypes, E extends EntityName<A>> = A['entities'][E]['instance'];
/** The returned instance: with the members of the named plan, or with any member of the entity. */
type PlanResult<A extends ApiTypes, E extends EntityName<A>, P> = P extends keyof A['entities'][E]['plans']
  ? A['entities'][E]['plans'][P]
  : InstanceOf<A, E>;

export interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value?: unknown;
}
export interface ConditionGroup {
  readonly group?: 'AND' | 'OR';
  readonly conditions: readonly (Condition | ConditionGroup)[];
}

export interface ListOptions<P> {
  readonly fetchPlan?: P;
  readonly filter?: ConditionGroup;
  readonly sort?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** Calls the API of an application. Every method rejects with `RestError` where the response is an error. */
export interface RestClient<A extends ApiTypes> {
  /** Undefined where there is no such instance for the caller. */
  load<E extends EntityName<A>, P extends PlanName<A, E> | undefined = undefined>(
    entity: E,
    id: string | number,
    options?: { readonly fetchPlan?: P },
  ): Promise<PlanResult<A, E, P> | undefined>;
  list<E extends EntityName<A>, P extends PlanName<A, E> | undefined = undefined>(
    entity: E,
    options?: ListOptions<P>,
  ): Promise<readonly PlanResult<A, E, P>[]>;
  count<E extends EntityName<A>>(entity: E, filter?: ConditionGroup): Promise<number>;
  create<E extends EntityName<A>>(entity: E, values: InstanceOf<A, E>): Promise<InstanceOf<A, E>>;
  update<E extends EntityName<A>>(entity: E, id: string | number, values: InstanceOf<A, E>): Promise<InstanceOf<A, E>>;
  remove<E extends EntityName<A>>(entity: E, id: string | number): Promise<void>;
  query<E extends EntityName<A>, Q extends QueryName<A, E>>(
    entity: E,
    name: Q,
    parameters: A['entities'][E]['queries'][Q]['parameters'],
    options?: { readonly limit?: number; readonly offset?: number },
  ): Promise<A['entities'][E]['queries'][Q]['result']>;
  /** Texts, numbers and dates of services are returned as exact texts. */
  call<S extends Name<A['services']>, M extends Name<A['services'][S]>>(
    service: S,
    method: M,
    parameters: A['services'][S][M]['parameters'],
  ): Promise<A['services'][S][M]['result']>;
}

export interface ClientOptions {
  /** `https://api.example.com`, without a path. */
  readonly baseUrl: string;
  /** The access token of each request. */
  readonly token: () => string | Promise<string>;
  /** Reads JSON; one that keeps all digits of decimals and 64-bit integers where they matter. */
  readonly parse?: (json: string) => unknown;
  readonly fetch?: typeof fetch;
}

/** Where the parts of the API are. */
export interface Paths {
  readonly entities: string;
  readonly queries: string;
  readonly services: string;
}

/** An error response. */
export class RestError extends Error {
  readonly status: number;
  /** `{"error", "details"}`, or the violations of rules; text where it is no JSON. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`);
    this.name = 'RestError';
    this.status = status;
    this.body = body;
  }
}

/** A token for user name and password, from `/oauth/token`. */
export async function requestToken(
  baseUrl: string,
  login: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly username: string;
    readonly password: string;
  },
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${login.clientId}:${login.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'password', username: login.username, password: login.password }),
  });
  const body = (await response.json()) as { readonly access_token?: string };
  if (body.access_token === undefined) throw new RestError(response.status, body);
  return body.access_token;
}

const EVERYTHING: ConditionGroup = { conditions: [] };

/** The client of an application; `createClient` of index.ts knows its types and paths. */
export function createRestClient<A extends ApiTypes>(paths: Paths, options: ClientOptions): RestClient<A> {
  const { baseUrl, token, parse = JSON.parse, fetch: send = fetch } = options;

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await send(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const value: unknown = text === '' ? undefined : isJson ? parse(text) : text;
    if (!response.ok) throw new RestError(response.status, value);
    return value;
  }

  const urlOf = (...parts: readonly (string | number)[]): string =>
    parts.map((part, index) => (index === 0 ? part : encodeURIComponent(part))).join('/');
  const withParameters = (path: string, parameters: Readonly<Record<string, unknown>>): string => {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    return given.length === 0
      ? path
      : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  };

  type Id = string | number;
  type Page = { readonly limit?: number; readonly offset?: number };
  const client = {
    async load(entity: string, id: Id, { fetchPlan }: { readonly fetchPlan?: string } = {}): Promise<unknown> {
      try {
        return await request('GET', withParameters(urlOf(paths.entities, entity, id), { fetchPlan }));
      } catch (error) {
        if (error instanceof RestError && error.status === 404 && error.body === undefined) return undefined;
        throw error;
      }
    },
    list: (entity: string, given: ListOptions<string> = {}) =>
      request('POST', urlOf(paths.entities, entity, 'search'), { ...given, filter: given.filter ?? EVERYTHING }),
    count: async (entity: string, filter: ConditionGroup = EVERYTHING) =>
      Number(await request('POST', urlOf(paths.entities, entity, 'search', 'count'), { filter })),
    create: (entity: string, values: object) => request('POST', urlOf(paths.entities, entity), values),
    update: (entity: string, id: Id, values: object) => request('PUT', urlOf(paths.entities, entity, id), values),
    remove: (entity: string, id: Id) => request('DELETE', urlOf(paths.entities, entity, id)),
    query: (entity: string, name: string, parameters: object, page: Page = {}) =>
      request('POST', withParameters(urlOf(paths.queries, entity, name), { ...page }), parameters),
    call: (service: string, method: string, parameters: object) =>
      request('POST', urlOf(paths.services, service, method), parameters),
  };
  // The same functions for all applications; which names and types they take is what A says.
  return client as unknown as RestClient<A>;
}
