import { type Entity, entityOf, type Model } from '@lintel/metadata';
import type { BoundCondition } from './bound-condition.ts';
import { type PathErrors, resolvePath } from './resolve-path.ts';

const unexpected = (path: string): Error => new Error(`${path} is not stored`);
const NONE: PathErrors = { unknown: unexpected, notStored: unexpected };

/** Paths of the attributes of an entity that hold file references, those of embedded objects included. */
const filePathsOf = (model: Model, { attributes }: Entity): readonly string[] =>
  [...attributes.values()].flatMap((attribute): readonly string[] => {
    if (!attribute.persistent || attribute.secret) return [];
    if (attribute.kind === 'embedded')
      return filePathsOf(model, entityOf(model, attribute.target)).map((path) => `${attribute.name}.${path}`);
    const isOfFiles =
      (attribute.kind === 'datatype' || attribute.kind === 'elements') && attribute.datatype === 'fileRef';
    return isOfFiles ? [attribute.name] : [];
  });

/**
 * For each attribute of an entity that holds file references: the condition that a reference begins with value 0 of the
 * request. The search index of the attribute serves it.
 */
export const fileTestsOf = (model: Model, entity: Entity): readonly BoundCondition[] =>
  filePathsOf(model, entity).map((path) => ({
    kind: 'test',
    path: resolvePath(model, entity, path, NONE),
    test: { kind: 'text', operator: 'startsWith', value: { kind: 'input', index: 0 } },
  }));
