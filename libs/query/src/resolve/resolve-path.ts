import { shortened } from '@lintel/errors';
import { type Attribute, type Entity, entityOf, isToMany, type Model } from '@lintel/metadata';
import { assertLimit, type QueryLimits, UNLIMITED } from '../limits/query-limits.ts';
import { jsonText, MAX_JSON_VALUE_DEPTH } from '../literals/json-text.ts';
import { literalTypeOf } from '../literals/literal-type.ts';
import type { BoundPath, PathLeaf, PathStep } from './bound-condition.ts';
import { dynamicLeafOf } from './dynamic-leaf.ts';

/** The errors for a path that cannot be bound; filters and sorts have different texts. */
export interface PathErrors {
  /** An attribute does not exist, or is secret and so does not exist for anyone (contract/decisions.md#53). */
  unknown(path: string): Error;
  /** Whether a path may end at a dynamic attribute: in filters alone. */
  readonly allowsDynamic?: boolean;
  /** An attribute is not stored (contract/decisions.md#14). */
  notStored(path: string): Error;
}

/**
 * Binds a dotted path to the model.
 *
 * @throws what `errors` makes; PlatformError REQ_COST_EXCEEDED for more references than a path may have
 */
export function resolvePath(
  model: Model,
  root: Entity,
  path: string,
  errors: PathErrors,
  limits: QueryLimits = UNLIMITED,
): BoundPath {
  const names = path.split('.');
  const steps: PathStep[] = [];
  let owner = root;
  let hops = 0;
  for (const [at, name] of names.slice(0, -1).entries()) {
    const attribute = stored(owner.attributes.get(name), path, errors);
    if (isJson(attribute)) {
      const inside = names.slice(at + 1);
      if (inside.length > MAX_JSON_VALUE_DEPTH || !inside.every(isMemberName)) throw errors.unknown(path);
      const leaf = { ...leafOf(model, owner, attribute), inside: Object.freeze(inside) } as PathLeaf;
      return Object.freeze({ text: path, root, steps: Object.freeze(steps), leaf });
    }
    if (attribute.kind !== 'reference' && attribute.kind !== 'embedded') throw errors.unknown(path);
    const target = entityOf(model, attribute.target);
    if (target.kind === 'dto') throw errors.notStored(path);
    if (attribute.kind === 'reference') hops += 1;
    assertHops(hops, path, limits);
    steps.push({ owner, attribute, target });
    owner = target;
  }
  const lastName = names.at(-1) ?? '';
  const dynamic = errors.allowsDynamic === true ? dynamicLeafOf(model, owner, lastName) : undefined;
  if (dynamic !== undefined) return Object.freeze({ text: path, root, steps: Object.freeze(steps), leaf: dynamic });
  const last = stored(owner.attributes.get(lastName), path, errors);
  if (isToMany(last)) assertHops(hops + 1, path, limits);
  return Object.freeze({ text: path, root, steps: Object.freeze(steps), leaf: leafOf(model, owner, last) });
}

const isJson = (attribute: Attribute): boolean => attribute.kind === 'datatype' && attribute.datatype === 'json';

const isMemberName = (name: string): boolean => name !== '' && jsonText(name) !== undefined;

/** A path that is too long is not counted to its end. */
const assertHops = (hops: number, path: string, limits: QueryLimits): void =>
  assertLimit(limits, 'pathHops', hops, shortened(path));

function stored(attribute: Attribute | undefined, path: string, errors: PathErrors): Attribute {
  if (attribute === undefined || attribute.secret) throw errors.unknown(path);
  if (!attribute.persistent) throw errors.notStored(path);
  return attribute;
}

function leafOf(model: Model, owner: Entity, attribute: Attribute): PathLeaf {
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
    case 'elements': {
      const type = literalTypeOf(model, attribute);
      if (type === undefined) throw new Error(`${owner.name}.${attribute.name} has no type`);
      return attribute.kind === 'elements'
        ? { kind: 'elements', owner, attribute, type }
        : { kind: 'value', owner, attribute, type };
    }
    case 'reference':
      return { kind: 'reference', owner, attribute, target: entityOf(model, attribute.target) };
    case 'embedded':
      return { kind: 'embedded', owner, attribute, target: entityOf(model, attribute.target) };
    default:
      return attribute satisfies never;
  }
}
