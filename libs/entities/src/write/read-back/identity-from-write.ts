import type { Entity } from '@lintel/metadata';
import { hasCompositeKey } from '@lintel/query';
import type { Instance } from '../../read/prepared-read.ts';
import type { CallerAccess } from '../../read/read-dependencies.ts';
import type { Saved } from '../save/save-instances.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { mayViewVersion } from './shown-version.ts';

/** A part of an instance name: a text, or an attribute that holds one. */
type NamePart = { readonly text: string } | { readonly attribute: string };

/** The parts of the instance name, if the written values contain all of them; null if the database must be read. */
const PARTS = new WeakMap<Entity, readonly NamePart[] | null>();

function partsOf(entity: Entity): readonly NamePart[] | null {
  const known = PARTS.get(entity);
  if (known !== undefined) return known;
  const parts = hasPlainKey(entity) ? textParts(entity) : null;
  PARTS.set(entity, parts);
  return parts;
}

/** The id of the answer is the text of the key, and the only member that has it. */
function hasPlainKey(entity: Entity): boolean {
  const key = entity.attributes.get(entity.key?.attribute ?? '');
  return !hasCompositeKey(entity) && key?.name === 'id' && key.kind === 'datatype' && key.datatype === 'uuid';
}

/** Only texts are stored as they are sent: numbers get the digits of their column, references have names of their own. */
function textParts({ attributes, instanceName }: Entity): readonly NamePart[] | null {
  if (instanceName?.kind !== 'parts') return null;
  const areTexts = instanceName.parts.every((part) => {
    if ('text' in part) return true;
    const attribute = attributes.get(part.attribute);
    return (
      attribute !== undefined &&
      attribute.kind === 'datatype' &&
      attribute.datatype === 'string' &&
      attribute.persistent &&
      !attribute.secret
    );
  });
  return areTexts ? instanceName.parts : null;
}

/**
 * The identity of an instance that the transaction has written, as reading it back would answer it: with its name
 * where that is made of texts, and its version.
 *
 * @returns undefined if the database must be read, or the caller may not see all of it
 */
export function knownIdentity(scope: WriteScope, { entity, key }: Saved, access: CallerAccess): Instance | undefined {
  const parts = partsOf(entity);
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
