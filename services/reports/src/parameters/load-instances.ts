import type { ReportRow } from '@lintel/application';
import { filterByIds, type ReportDataSource } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import {
  type ExactObject,
  hasCompositeKey,
  isExactObject,
  keyPartsOf,
  parseKeyValue,
  type SqlValue,
} from '@lintel/query';
import { type Access, assertStrongLogin } from '@lintel/security';

export interface InstancePorts {
  readonly model: Model;
  readonly access: Pick<Access, 'allows' | 'afterLogin'>;
  readonly data: Pick<ReportDataSource, 'load'>;
}

/** An id as text, or the parts of a composite key. */
export type InstanceId = string | ExactObject;

/**
 * Returns an entity and asserts that the caller may read its instances.
 *
 * @throws step 7a of contract/reports.md#check-order
 */
export function readableEntity(name: string, { model, access }: Pick<InstancePorts, 'model' | 'access'>): Entity {
  const entity = entityOf(model, name);
  if (!access.allows(name, 'read')) {
    assertStrongLogin(access, (stronger) => stronger.allows(name, 'read'));
    throw new PlatformError('ACCESS_READ_DENIED', `Reading of the ${name} is forbidden`);
  }
  return entity;
}

/**
 * Loads instances by the ids that a client sent, under the caller's rights, in the order of the ids.
 *
 * @throws steps 7b and 7c of contract/reports.md#check-order
 */
export async function loadInstances(
  entity: Entity,
  ids: readonly InstanceId[],
  { model, data }: Pick<InstancePorts, 'model' | 'data'>,
): Promise<readonly ReportRow[]> {
  const keys = ids.map((id) => keyMembers(model, entity, id));
  if (keys.length === 0) return [];
  const found = new Map<string, ReportRow>();
  const request = {
    entity: entity.name,
    filter: filterByIds(
      entity,
      keys.map((key) => idOf(entity, key)),
    ),
    fetchPlan: '_instance_name',
  };
  for await (const row of data.load(request)) found.set(textOfId(row['id']), row);
  return ids.map((id, index) => {
    const row = found.get(textOfKey(keys[index] ?? {}));
    if (row === undefined)
      throw new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${entity.name} with id ${textOf(id)} not found`);
    return row;
  });
}

type KeyMembers = Readonly<Record<string, SqlValue>>;

const textOf = (id: InstanceId): string => (typeof id === 'string' ? id : JSON.stringify(id));

function keyMembers(model: Model, entity: Entity, id: InstanceId): KeyMembers {
  const values = parseKeyValue(model, entity, id);
  if (values === undefined)
    throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${textOf(id)} into valid entity ID`);
  return Object.fromEntries(keyPartsOf(model, entity).map(({ name }, index) => [name, values[index] ?? null]));
}

/** The key as in responses. */
const idOf = (entity: Entity, key: KeyMembers): unknown => (hasCompositeKey(entity) ? key : Object.values(key)[0]);

/** Equal texts mean equal keys, whether the parts came from the client or from a response. */
const textOfKey = (key: KeyMembers): string =>
  JSON.stringify(
    Object.keys(key)
      .sort()
      .map((name) => String(key[name])),
  );

const textOfId = (id: unknown): string =>
  textOfKey(
    isExactObject(id)
      ? Object.fromEntries(Object.entries(id).map(([name, part]) => [name, String(part)]))
      : { id: String(id) },
  );
