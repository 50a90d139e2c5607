import { isPersonal, type Model, rootOf } from '@lintel/metadata';
import type { EntityReadAccess, ReadAccess } from '@lintel/query';
import type { Access } from '@lintel/security';

/**
 * Hides the personal attributes of entities for which the caller lacks the permission
 * (contract/personal-data.md#masks). Returns the same access if none is hidden.
 */
export function withoutPersonal(model: Model, read: ReadAccess, rights: Access): ReadAccess {
  const hidden = hiddenBy(model, rights);
  if (hidden.size === 0) return read;
  const entities = new Map<string, EntityReadAccess>();
  const decide = (name: string): EntityReadAccess => {
    const own = read.entity(name);
    const names = hidden.get(name);
    return names === undefined
      ? own
      : Object.freeze({ ...own, mayView: (attribute: string) => !names.has(attribute) && own.mayView(attribute) });
  };
  const entity = (name: string): EntityReadAccess => {
    const found = entities.get(name) ?? decide(name);
    entities.set(name, found);
    return found;
  };
  const { afterLogin: next } = read;
  const afterLogin = next &&
    rights.afterLogin && { acr: next.acr, access: withoutPersonal(model, next.access, rights.afterLogin.access) };
  return Object.freeze({ fingerprint: `${read.fingerprint} masked`, entity, ...(afterLogin && { afterLogin }) });
}

/** Names of the attributes that are hidden, by the entity. */
function hiddenBy(model: Model, rights: Access): ReadonlyMap<string, ReadonlySet<string>> {
  const hidden = new Map<string, ReadonlySet<string>>();
  if (rights.hasSpecific('personal.read')) return hidden;
  for (const entity of model.entities.values()) {
    const marked = [...entity.attributes.values()].filter((attribute) => isPersonal(entity, attribute));
    if (marked.length === 0 || rights.hasSpecific(`personal.read.${rootOf(model, entity).name}`)) continue;
    hidden.set(entity.name, new Set(marked.map(({ name }) => name)));
  }
  return hidden;
}
