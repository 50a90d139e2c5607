import { type ChangeOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, withQuery } from '../connection/paths.ts';
import { type Filter, writeFilter } from '../filters/criteria.ts';
import type { ApiTypes, EntityName, InstanceOf } from '../model/api-types.ts';
import type { Input } from '../model/input.ts';

/** Which instances are written. */
export interface MatchOptions<A extends ApiTypes, E> extends ChangeOptions {
  readonly filter: Filter<A, E>;
  /** If more instances match, nothing is written; at most 10,000. */
  readonly maxAffected: number;
}

interface Client {
  readonly connection: Connection;
}

async function write<A extends ApiTypes, E extends EntityName<A>>(
  { connection }: Client,
  method: 'PATCH' | 'DELETE',
  entity: E,
  { filter, maxAffected, ...options }: MatchOptions<A, E>,
  json?: unknown,
): Promise<number> {
  const { headers } = await connection.read({
    method,
    path: withQuery(pathOf(connection.paths.entities, entity), { filter: writeFilter(filter) }),
    headers: {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : undefined,
      prefer: `return=minimal, max-affected=${maxAffected}`,
    },
    json,
    repeatable: false,
    ...callOf(options),
  });
  return Number(headers.get('x-total-count'));
}

/** New values; `{ expression: '{E}.price * 1.05' }` computes the one of each instance. */
export type MatchingChange<T> = { readonly [K in keyof Input<T>]?: Input<T>[K] | { readonly expression: string } };

/**
 * Patches all instances that match, or none.
 *
 * @returns their number
 * @example await patchMatching(client, 'sales_Order', { status: 'OLD' }, { filter, maxAffected: 500 })
 */
export const patchMatching = <A extends ApiTypes, E extends EntityName<A>>(
  client: Client,
  entity: E,
  change: MatchingChange<InstanceOf<A, E>>,
  options: MatchOptions<A, E>,
): Promise<number> => write<A, E>(client, 'PATCH', entity, options, change);

/** Deletes all instances that match, or none; returns their number. */
export const removeMatching = <A extends ApiTypes, E extends EntityName<A>>(
  client: Client,
  entity: E,
  options: MatchOptions<A, E>,
): Promise<number> => write<A, E>(client, 'DELETE', entity, options);
