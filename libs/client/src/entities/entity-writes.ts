import { callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { type Id, pathOf, withQuery } from '../connection/paths.ts';
import { randomText } from '../connection/random-text.ts';
import type { RemoveOptions, UpsertOptions } from './entity-options.ts';
import { ifMatchHeader, keepTag } from './entity-tags.ts';
import { writePlan } from './inline-plan.ts';

// What the types say of each application is the same code for all of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
type Writing = UpsertOptions<Any, Any, Any> & Pick<RemoveOptions, 'deleted'>;

/** The methods that change instances. */
export function entityWrites(connection: Connection) {
  const urlOf = (...segments: readonly Id[]): string => pathOf(connection.paths.entities, ...segments);

  async function write(
    method: string,
    [entity, ...below]: readonly [string, Id?, 'restore'?],
    json: unknown,
    options: Writing = {},
  ): Promise<Any> {
    const { fetchPlan, idempotencyKey = randomText(), ifMatch, key, ignoreDuplicates, deleted } = options;
    const [id] = below;
    const { body, headers } = await connection.read({
      method,
      path: withQuery(urlOf(entity, ...below.filter((segment) => segment !== undefined)), {
        responseFetchPlan: writePlan(fetchPlan, entity),
        key: key?.toString(),
        deleted,
      }),
      headers: {
        'content-type': method === 'PATCH' ? patchType(id, json) : undefined,
        'idempotency-key': idempotencyKey || undefined,
        'if-match': ifMatchHeader(ifMatch),
        prefer: ignoreDuplicates === true ? 'resolution=ignore-duplicates' : undefined,
      },
      json,
      repeatable: Boolean(idempotencyKey),
      ...callOf(options),
    });
    keepTag(body, headers.get('etag'));
    return body;
  }

  const upsert = (entity: string, values: object, options?: Writing): Promise<Any> =>
    write('PUT', [entity], values, { ...options, key: options?.key ?? 'id' });

  return {
    create: (entity: string, values: object, options?: Writing) => write('POST', [entity], values, options),
    createMany: (entity: string, values: object, options?: Writing) => write('POST', [entity], values, options),
    update: (entity: string, id: Id, values: object, options?: Writing) => write('PUT', [entity, id], values, options),
    updateMany: (entity: string, values: object, options?: Writing) => write('PUT', [entity], values, options),
    patch: (entity: string, id: Id, values: object, options?: Writing) => write('PATCH', [entity, id], values, options),
    patchMany: (entity: string, values: object, options?: Writing) => write('PATCH', [entity], values, options),
    upsert,
    upsertMany: upsert,
    remove: (entity: string, id: Id, options?: Writing) => write('DELETE', [entity, id], undefined, options),
    restore: (entity: string, id: Id, options?: Writing) => write('POST', [entity, id, 'restore'], undefined, options),
    removeMany: (entity: string, ids: readonly Id[], options?: Writing) => write('DELETE', [entity], ids, options),
  };
}

/** Of one instance, an array is a JSON Patch; of a collection, it has merge patches. */
const patchType = (id: Id | undefined, json: unknown): string =>
  id !== undefined && Array.isArray(json) ? 'application/json-patch+json' : 'application/merge-patch+json';
