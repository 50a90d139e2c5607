import type { Permissions } from '@lintel/client';

/** What pages do with records, by the names of both frameworks. */
const OPERATIONS: Readonly<Record<string, 'create' | 'delete' | 'read' | 'update'>> = {
  clone: 'create',
  create: 'create',
  delete: 'delete',
  edit: 'update',
  export: 'read',
  field: 'read',
  list: 'read',
  read: 'read',
  show: 'read',
  update: 'update',
  write: 'update',
};

/**
 * Whether the user may do something with the records of an entity, or with an attribute of them. The service checks each
 * request all the same.
 *
 * @throws Error if the action is unknown
 */
export function mayAccess(
  { entities, entityAttributes }: Permissions,
  entity: string,
  action: string,
  attribute?: string,
): boolean {
  const operation = OPERATIONS[action];
  if (operation === undefined) throw new Error(`The action ${action} is none of ${Object.keys(OPERATIONS).join(', ')}`);
  if (!entities.some(({ target, value }) => target === `${entity}:${operation}` && value === 1)) return false;
  if (attribute === undefined) return true;
  const level = entityAttributes.find(({ target }) => target === `${entity}:${attribute}`)?.value ?? 0;
  return level >= (operation === 'read' ? 1 : 2);
}
