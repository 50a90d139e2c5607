import { type Entity, isToMany } from '@lintel/metadata';
import { type ExactObject, PARTIAL_MEMBER } from '@lintel/query';
import { cannotDeserialize } from './deserialization-error.ts';
import type { SentChildren, SentValue } from './instance-input.ts';

/**
 * Keeps members of collections that a response has shown in part: a client that sends such a list back does not remove
 * what it never saw (contract/fetch-plans.md#partial).
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for a marker that names no collection: without it members would leave
 */
export function keepUnlisted(
  entity: Entity,
  json: ExactObject,
  path: string,
  sent: { readonly values: Map<string, SentValue>; readonly children: Map<string, SentChildren> },
): void {
  const names: unknown = Object.hasOwn(json, PARTIAL_MEMBER) ? json[PARTIAL_MEMBER] : null;
  if (names === null) return;
  const member = path === '' ? PARTIAL_MEMBER : `${path}.${PARTIAL_MEMBER}`;
  if (!Array.isArray(names)) throw cannotDeserialize(`'${member}' must be a JSON array of names of collections`);
  for (const name of names as readonly unknown[]) {
    const attribute = typeof name === 'string' ? entity.attributes.get(name) : undefined;
    if (attribute?.kind !== 'reference' || !isToMany(attribute))
      throw cannotDeserialize(`'${member}' names ${JSON.stringify(name)}, which is no collection of ${entity.name}`);
    const children = sent.children.get(attribute.name);
    if (children?.kind === 'many') sent.children.set(attribute.name, { removed: new Map(), ...children });
    const value = sent.values.get(attribute.name);
    if (value !== undefined) sent.values.set(attribute.name, { removed: new Map(), ...value });
  }
}
