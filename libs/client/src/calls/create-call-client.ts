import { type CallOptions, type ChangeOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, withQuery } from '../connection/paths.ts';
import { writePlan } from '../entities/inline-plan.ts';
import type { ApiTypes, EntityName, Name, QueryName, UntypedApi } from '../model/api-types.ts';
import type { Input } from '../model/input.ts';

/** The part of the result of a query, and how it is shown. */
export interface QueryOptions extends CallOptions {
  /** Maximum number of rows; by default that of the query, or of the server. */
  readonly limit?: number | undefined;
  /** Number of rows that are skipped. */
  readonly offset?: number | undefined;
  /** Shows attributes without a value as null instead of leaving them out. */
  readonly returnNulls?: boolean | undefined;
  /** Instead of the plan of the query; the type of the result is that of the query's own plan. */
  readonly fetchPlan?: string | object | undefined;
}

/** How a service method is called. */
export interface ServiceOptions extends ChangeOptions {
  /** Whether the method only reads, so that the call may be sent again after a failure of the network. */
  readonly repeatable?: boolean | undefined;
}

/** Runs predefined queries and calls service methods. */
export interface CallClient<A extends ApiTypes> {
  /** The rows of a predefined query. */
  query<E extends EntityName<A>, Q extends QueryName<A, E>>(
    entity: E,
    name: Q,
    parameters: Input<A['entities'][E]['queries'][Q]['parameters']>,
    options?: QueryOptions,
  ): Promise<A['entities'][E]['queries'][Q]['result']>;
  /** The number of all rows of a query. */
  queryCount<E extends EntityName<A>, Q extends QueryName<A, E>>(
    entity: E,
    name: Q,
    parameters: Input<A['entities'][E]['queries'][Q]['parameters']>,
    options?: CallOptions,
  ): Promise<number>;
  /** Texts, numbers and dates of services are returned as exact texts. */
  call<S extends Name<A['services']>, M extends Name<A['services'][S]>>(
    service: S,
    method: M,
    parameters: Input<A['services'][S][M]['parameters']>,
    options?: ServiceOptions,
  ): Promise<A['services'][S][M]['result']>;
}

/** The methods for queries and services of a connection. */
export function createCallClient<A extends ApiTypes = UntypedApi>(connection: Connection): CallClient<A> {
  const { paths } = connection;
  const post = async (path: string, json: unknown, repeatable: boolean, options: ChangeOptions): Promise<unknown> =>
    (await connection.read({ method: 'POST', path, json, repeatable, ...callOf(options) })).body;

  const client = {
    query: async (entity: string, name: string, parameters: object, options: QueryOptions = {}) => {
      const { limit, offset, returnNulls, fetchPlan } = options;
      const control = { limit, offset, returnNulls, fetchPlan: writePlan(fetchPlan, entity) };
      return post(withQuery(pathOf(paths.queries, entity, name), control), parameters, true, options);
    },
    queryCount: async (entity: string, name: string, parameters: object, options: CallOptions = {}) =>
      Number(await post(pathOf(paths.queries, entity, name, 'count'), parameters, true, options)),
    call: async (service: string, method: string, parameters: object, options: ServiceOptions = {}) =>
      post(pathOf(paths.services, service, method), parameters, options.repeatable === true, options),
  };
  return client as unknown as CallClient<A>;
}
