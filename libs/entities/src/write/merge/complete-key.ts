import { canonicalKey, type LiteralType } from '@lintel/query';
import { convertedValue } from '../graph/settle-shared.ts';
import type { StoredEntity } from '../model/stored-entity.ts';
import type { InstanceInput } from '../parse/instance-input.ts';
import { isReference, type Key } from '../values/value.ts';

/**
 * Adds to an incomplete key the parts that references over its columns have.
 *
 * @param parent the reference to the parent, which the server sets
 */
export function completeKey(
  layout: StoredEntity,
  input: InstanceInput,
  parent?: { readonly path: string; readonly key: Key },
): InstanceInput {
  if (input.key !== undefined || input.keyParts === undefined) return input;
  const parts = [...input.keyParts];
  for (const slot of layout.keyReferences) {
    const value = parent?.path === slot.path ? { key: parent.key } : input.values.get(slot.path)?.value;
    if (value === undefined || value === 'missing' || !isReference(value)) continue;
    for (const { at, path } of slot.shared) {
      const position = layout.key.findIndex((each) => each.path === path);
      const type = layout.key[position]?.types[0];
      if (type !== undefined && (parts[position] ?? null) === null)
        parts[position] = convertedValue(slot.types[at] as LiteralType, type, value.key[at] ?? null);
    }
  }
  return parts.every((part) => part !== null) ? { ...input, key: canonicalKey(parts) } : { ...input, keyParts: parts };
}
