import type { Entity } from '@lintel/metadata';
import { hasCompositeKey } from '@lintel/query';

/** A part of an instance name: a literal text, or an attribute whose value is a text. */
export type NamePart = { readonly text: string } | { readonly attribute: string };

/** The parts of the instance name, if the written values contain all of them; null if the database must be read. */
export const findNameParts = (entity: Entity): readonly NamePart[] | null =>
  hasPlainKey(entity) ? textParts(entity) : null;

/** The id of the response is the text of the key, and the only member that contains it. */
function hasPlainKey(entity: Entity): boolean {
  const key = entity.attributes.get(entity.key?.attribute ?? '');
  return !hasCompositeKey(entity) && key?.name === 'id' && key.kind === 'datatype' && key.datatype === 'uuid';
}

/**
 * Only texts are stored unchanged: numbers are stored with the digits of their column, text forms are read as the
 * database writes them, and references have instance names of their own.
 */
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
      !attribute.secret &&
      attribute.comparedAs === undefined &&
      attribute.generated !== true &&
      attribute.databaseDefault !== true
    );
  });
  return areTexts ? instanceName.parts : null;
}
