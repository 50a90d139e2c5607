import type { Permissions } from '@lintel/client';

/** What can be done with the instances of an entity. */
export type Operation = 'create' | 'read' | 'update' | 'delete';

/** What the caller may do, as the server has said it. Requests are checked again by the server. */
export interface Rights {
  /** Codes of the roles; those of row-level roles begin with `row_level_role:`. */
  readonly authorities: readonly string[];
  /** Whether instances of an entity can be created, read, changed or deleted. */
  may(entity: string, operation: Operation): boolean;
  /** Whether an attribute may be seen. */
  mayView(entity: string, attribute: string): boolean;
  /** Whether an attribute may be changed. */
  mayModify(entity: string, attribute: string): boolean;
  /** A permission by its name, such as `rest.fileUpload.enabled`. */
  has(specific: string): boolean;
  /** Such a permission, or one for a single entity or job: `jobs.read` or `jobs.read.nightly`. */
  hasAny(specific: string): boolean;
  /** Whether one of the roles is the one with this code. */
  hasRole(code: string): boolean;
}

/**
 * The rights of the response of the permissions endpoint.
 *
 * @param readOnly names of the entities that no caller can write, whatever roles grant
 */
export function createRights(
  { authorities, entities, entityAttributes, specifics }: Permissions,
  readOnly: ReadonlySet<string> = new Set(),
): Rights {
  const operations = new Set(entities.filter(({ value }) => value === 1).map(({ target }) => target));
  const attributes = new Map(entityAttributes.map(({ target, value }) => [target, value]));
  const named = new Set(specifics.filter(({ value }) => value === 1).map(({ target }) => target));
  const levelOf = (entity: string, attribute: string): number => attributes.get(`${entity}:${attribute}`) ?? 0;
  return {
    authorities,
    may: (entity, operation) =>
      operations.has(`${entity}:${operation}`) && (operation === 'read' || !readOnly.has(entity)),
    mayView: (entity, attribute) => levelOf(entity, attribute) >= 1,
    mayModify: (entity, attribute) => levelOf(entity, attribute) === 2,
    has: (specific) => named.has(specific),
    hasAny: (specific) => named.has(specific) || [...named].some((name) => name.startsWith(`${specific}.`)),
    hasRole: (code) => authorities.includes(code),
  };
}
