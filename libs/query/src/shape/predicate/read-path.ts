import { entityOf, type Model } from '@lintel/metadata';
import { hasCompositeKey } from '../../ids/entity-id.ts';
import { keyTypeOf, type LiteralType } from '../../literals/literal-type.ts';
import type { BoundPath } from '../../resolve/bound-condition.ts';
import type { Instance } from './verdict.ts';

/** The value at the end of a path of an instance, and the type in which it is compared. */
export interface ReadPath {
  readonly type: LiteralType;
  readonly read: (instance: Instance) => unknown;
}

/**
 * Reads a path through embedded attributes and to-one references; of a reference, the key.
 *
 * @param paths gets the path
 * @throws Error where there is no single value
 */
export function pathReader(model: Model, path: BoundPath, paths: Set<string>): ReadPath {
  const type = comparedType(model, path);
  const names = path.text.split('.');
  if (path.leaf.kind === 'reference') names.push('id');
  paths.add(path.text);
  return {
    type,
    read: (instance) => names.reduce<unknown>((value, name) => (value as Instance | null)?.[name] ?? null, instance),
  };
}

/** The type in which the end of the path is compared: for a reference, that of the target's key. */
function comparedType(model: Model, { text, steps, leaf }: BoundPath): LiteralType {
  const toMany = steps.find(({ attribute }) => attribute.kind === 'reference' && isMany(attribute.cardinality));
  if (toMany !== undefined || (leaf.kind === 'reference' && isMany(leaf.attribute.cardinality)))
    throw new Error(`${text} leads to many instances: a predicate reads the instance and its to-one references`);
  switch (leaf.kind) {
    case 'value':
      if (leaf.inside !== undefined || (leaf.type.kind === 'datatype' && leaf.type.datatype === 'json'))
        throw new Error(`${text} is inside a JSON attribute, which a predicate cannot test`);
      if (leaf.type.kind === 'datatype' && leaf.type.comparedAs !== undefined)
        throw new Error(`${text} is the text form of a type of the database, which a predicate cannot test`);
      return leaf.type;
    case 'reference': {
      const target = entityOf(model, leaf.target.name);
      const key = hasCompositeKey(target) ? undefined : target.attributes.get(target.key?.attribute ?? '');
      const type = key === undefined ? undefined : keyTypeOf(model, key);
      if (type === undefined) throw new Error(`${text} refers to an entity with a composite key`);
      return type;
    }
    case 'elements':
    case 'embedded':
      throw new Error(`${text} has no single value that a predicate could test`);
    default:
      return leaf satisfies never;
  }
}

const isMany = (cardinality: string): boolean => cardinality.endsWith('TO_MANY');
