import type { ReportRow } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import { hasCompositeKey, isExactObject, keyPartsOf, parseEntityId, type SqlValue } from '@lintel/query';
import type { Access } from '@lintel/security';
import type { ReportDataSource } from '../datasets/report-data-source.ts';
import { filterByIds } from './filter-by-ids.ts';

export interface InstancePorts {
  readonly model: Model;
  readonly access: Pick<Access, 'allows'>;
  readonly data: Pick<ReportDataSource, 'load'>;
}

/**
 * Loads instances by the ids that a client sent, under the caller's rights, in the order of the ids.
 *
 * @throws steps 7a, 7b and 7c of contract-reports-files-metadata.md §1.4
 */
export async function loadInstances(
  entityName: string,
  ids: readonly string[],
  ports: InstancePorts,
): Promise<readonly ReportRow[]> {
  const { model, access, data } = ports;
  const entity = entityOf(model, entityName);
  if (!access.allows(entityName, 'read'))
    throw new PlatformError('ACCESS_READ_DENIED', `Reading of the ${entityName} is forbidden`);
  const keys = ids.map((id) => keyMembers(model, entity, id));
  if (keys.length === 0) return [];
  const found = new Map<string, ReportRow>();
  const request = {
    entity: entityName,
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
      throw new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${entityName} with id ${id} not found`);
    return row;
  });
}

type KeyMembers = Readonly<Record<string, SqlValue>>;

function keyMembers(model: Model, entity: Entity, id: string): KeyMembers {
  const values = parseEntityId(model, entity, id);
  return Object.fromEntries(keyPartsOf(model, entity).map(({ name }, index) => [name, values[index] ?? null]));
}

/** The key as answers show it. */
const idOf = (entity: Entity, key: KeyMembers): unknown => (hasCompositeKey(entity) ? key : Object.values(key)[0]);

/** Equal texts mean equal keys, whether the parts came from the client or from an answer. */
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
