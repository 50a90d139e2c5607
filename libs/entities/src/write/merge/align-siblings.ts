import { isToMany } from '@lintel/metadata';
import type { WriteModel } from '../model/write-model.ts';
import { cannotDeserialize } from '../parse/deserialization-error.ts';
import type { InstanceInput, SentChildren, SentValue } from '../parse/instance-input.ts';

const NO_CHILDREN: SentChildren = { kind: 'many', children: [] };
const NO_CHILD: SentChildren = { kind: 'one', child: null };

/**
 * Children of one collection of a stored parent are merged on the union of their attributes: an attribute that one of
 * them names and another does not is set to null on the latter (contract/writing.md#children); collections become
 * empty. Children of a new parent are not merged: contract/writing.md#create creates each with its own values and the
 * defaults for the rest. Filled-in attributes are recorded, so that the refusal of a null can explain its origin
 * (contract/decisions.md#72).
 *
 * @param isStrict refuses collections that would become empty
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the child and the collection
 */
export function alignSiblings(
  writeModel: WriteModel,
  collection: string,
  siblings: readonly InstanceInput[],
  isStrict = false,
): readonly InstanceInput[] {
  const paths = new Set(siblings.flatMap((sibling) => [...sibling.values.keys()]));
  const compositions = new Set(siblings.flatMap((sibling) => [...sibling.children.keys()]));
  return siblings.map((sibling) => {
    const lacking = [...paths].filter((path) => !sibling.values.has(path));
    const bare = [...compositions].filter((name) => !sibling.children.has(name));
    if (lacking.length === 0 && bare.length === 0) return sibling;
    const layout = writeModel.of(sibling.entity);
    const collections = new Set([...layout.elements, ...layout.links, ...layout.inverses].map(({ name }) => name));
    // Siblings of several entities do not have all attributes in common.
    const nulls = lacking
      .filter((path) => layout.slots.has(path) || collections.has(path))
      .map((path): [string, SentValue] => [path, { value: collections.has(path) ? [] : null, sent: null }]);
    const empty = bare.flatMap((name): [string, SentChildren][] => {
      const attribute = sibling.entity.attributes.get(name);
      return attribute === undefined ? [] : [[name, isToMany(attribute) ? NO_CHILDREN : NO_CHILD]];
    });
    const [emptied] = [
      ...empty.map(([name]) => name),
      ...nulls.flatMap(([path]) => (collections.has(path) ? path : [])),
    ];
    if (isStrict && emptied !== undefined)
      throw cannotDeserialize(
        `'${sibling.path}' must name '${emptied}', since another member of '${collection}' does: it would become empty`,
      );
    return {
      ...sibling,
      values: new Map([...sibling.values, ...nulls]),
      children: new Map([...sibling.children, ...empty]),
      filled: { collection, paths: new Set([...nulls, ...empty].map(([path]) => path)) },
    };
  });
}
