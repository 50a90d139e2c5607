import {
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type ElementsAttribute,
  type Entity,
  entityOf,
  type Model,
} from '@lintel/metadata';
import type { PathLeaf } from './bound-condition.ts';

/**
 * The dynamic attribute that a name of a path denotes: `+code`. Its values, in a table of their own, are tested as those
 * of an element collection, also where there is at most one (docs/adr/0012).
 */
export function dynamicLeafOf(model: Model, owner: Entity, name: string): PathLeaf | undefined {
  if (!name.startsWith('+')) return undefined;
  const definition = dynamicAttributesOf(model, owner).find((each) => dynamicMemberOf(each) === name);
  if (definition === undefined) return undefined;
  const target = definition.target === undefined ? undefined : entityOf(model, definition.target);
  const datatype = dynamicDatatypeOf(definition.type) ?? keyDatatypeOf(target);
  const attribute: ElementsAttribute = Object.freeze({
    kind: 'elements',
    name,
    declaredBy: definition.entity,
    mandatory: false,
    readOnly: false,
    persistent: true,
    secret: false,
    rules: [],
    dependsOn: [],
    datatype,
    length: undefined,
  });
  return Object.freeze({
    kind: 'elements',
    owner,
    attribute,
    type: Object.freeze({ kind: 'datatype', datatype }),
    dynamic: Object.freeze({ definition, target }),
  });
}

/** Only entities with a single key can be the target of a dynamic attribute. */
function keyDatatypeOf(target: Entity | undefined): ElementsAttribute['datatype'] {
  const key = target?.attributes.get(target.key?.attribute ?? '');
  if (key?.kind !== 'datatype') throw new Error(`${target?.name} has no single key`);
  return key.datatype;
}

/** Whether a leaf is a dynamic attribute with at most one value, of a datatype: instances have an order by it. */
export const isSingleDynamic = (leaf: PathLeaf): boolean =>
  leaf.kind === 'elements' &&
  leaf.dynamic !== undefined &&
  !leaf.dynamic.definition.collection &&
  leaf.dynamic.target === undefined;
