import type { CallerAccess, Instance } from '@lintel/reading';
import type { WriteScope } from '../scope/write-scope.ts';
import type { Saved } from './read-saved.ts';
import { mayViewVersion } from './shown-version.ts';

/**
 * The identity of an instance that the transaction has written, as reading it back would return it: with its name,
 * if that consists of texts, and its version.
 *
 * @returns undefined if the database must be read, or the caller may not see all of it
 */
export function knownIdentity(scope: WriteScope, { entity, key }: Saved, access: CallerAccess): Instance | undefined {
  const parts = scope.writeModel.of(entity).nameParts;
  const values = scope.changes.find(entity, key)?.after;
  if (parts === null || values === undefined || access.encryptToken !== undefined) return undefined;
  const { canRead, rows, predicates, mayView } = access.read.entity(entity.name);
  if (!canRead || rows !== undefined || predicates.length > 0) return undefined;
  const { deletedDate, version } = entity.system;
  if (deletedDate !== undefined && (values.get(deletedDate) ?? null) !== null) return undefined;
  let name = '';
  for (const part of parts) {
    if ('text' in part) {
      name += part.text;
      continue;
    }
    const text = values.get(part.attribute) ?? '';
    if (typeof text !== 'string' || !mayView(part.attribute)) return undefined;
    name += text;
  }
  return {
    json: JSON.stringify({ _entityName: entity.name, _instanceName: name, id: key[0] }),
    version:
      version === undefined || !mayViewVersion(scope.model, entity, access) ? undefined : String(values.get(version)),
  };
}
