import { type Entity, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import type { Layout } from './layout.ts';

/** The position of a value in the JSON form, and the entity that it refers to. */
export interface JsonPath {
  /** Members from the root to the value. */
  readonly names: readonly string[];
  /** Name of the attribute itself. */
  readonly attribute: string;
  readonly target: Entity | undefined;
  /** The value is the text of a JSON value. */
  readonly isJson: boolean;
}

export function describeJsonPath(model: Model, layout: Layout, path: string): JsonPath {
  const names = path.split('.');
  const attribute = layout.slots.get(path)?.attribute;
  const isJson = attribute?.kind === 'datatype' && attribute.datatype === 'json';
  return { names, attribute: names[0] ?? '', target: targetOf(model, layout, path), isJson };
}

function targetOf(model: Model, layout: Layout, path: string): Entity | undefined {
  const attribute =
    layout.slots.get(path)?.attribute ?? [...layout.links, ...layout.inverses].find(({ name }) => name === path);
  return attribute?.kind === 'reference' ? entityOf(model, (attribute as ReferenceAttribute).target) : undefined;
}
