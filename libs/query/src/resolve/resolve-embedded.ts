import { PlatformError } from '@lintel/errors';
import { isToMany } from '@lintel/metadata';
import type { Condition, InputList, Value } from '../ast/condition.ts';
import { type ObjectShape, shapeKeyOf } from '../ast/value-shape.ts';
import type { BoundCondition, BoundMember, BoundPath, EmbeddedTest } from './bound-condition.ts';

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FILTER', details);

/** The location of an object's values in the request. */
type ValueAt = (names: readonly string[]) => Value | InputList;

/**
 * Binds the comparison of an embedded object with those that were sent, attribute by attribute
 * (contract/filters.md#types).
 *
 * @param resolve binds the path of an attribute
 * @throws PlatformError REQ_INVALID_FILTER for what is no object, and for attributes that there are not
 */
export function resolveEmbedded(
  node: Extract<Condition, { kind: 'comparison' | 'in' }>,
  path: BoundPath,
  resolve: (path: string) => BoundPath,
): EmbeddedTest {
  const values = node.kind === 'in' ? node.values : [node.value];
  const objects = values.flatMap((value): readonly (readonly BoundMember[])[] => {
    if (value.kind === 'input') return [membersOf(path, value.shape, (at) => ({ ...value, at }), resolve)];
    if (value.kind !== 'input-list' || value.shapes === undefined) throw noObject(path);
    const { shapes, ...list } = value;
    return shapes.map((shape) => {
      const key = shapeKeyOf(shape);
      const at: ValueAt = (names) => ({ ...list, at: { shape: key, names } });
      return membersOf(path, typeof shape === 'string' ? undefined : shape, at, resolve);
    });
  });
  const negated = node.kind === 'in' ? node.negated : node.operator === '<>';
  return Object.freeze({ kind: 'embedded', negated, objects });
}

function noObject({ text, leaf }: BoundPath): PlatformError {
  const target = leaf.kind === 'embedded' ? leaf.target.name : '';
  return refuse(`Each value of ${text} must be an object with attributes of ${target}`);
}

/** Members of every instance, which embedded objects do not have; they say nothing. */
const isSystem = (name: string): boolean => name.startsWith('_');

function membersOf(
  path: BoundPath,
  shape: ObjectShape | undefined,
  valueAt: ValueAt,
  resolve: (path: string) => BoundPath,
  above: readonly string[] = [],
): readonly BoundMember[] {
  const { leaf } = path;
  const members = (shape ?? []).filter(([name]) => !isSystem(name));
  if (leaf.kind !== 'embedded' || members.length === 0) throw noObject(path);
  return members.map(([name, value]): BoundMember => {
    // A name with a dot is no path here.
    const member = resolve(name.includes('.') ? `${path.text}.` : `${path.text}.${name}`);
    const { leaf: end } = member;
    if (end.kind === 'elements' || (end.kind === 'reference' && isToMany(end.attribute)))
      throw refuse(`The collection ${member.text} cannot be compared in a value of ${path.text}`);
    if (value === 'null') return { kind: 'null', path: member };
    const names = [...above, name];
    if (end.kind !== 'embedded') return { kind: 'value', path: member, value: valueAt(names) };
    const nested = typeof value === 'string' ? undefined : value;
    return { kind: 'members', path: member, members: membersOf(member, nested, valueAt, resolve, names) };
  });
}

/** The paths of all attributes that a test compares. */
export const testedPaths = ({ path, test }: Extract<BoundCondition, { kind: 'test' }>): readonly BoundPath[] =>
  test.kind === 'embedded' && test.objects.length > 0
    ? test.objects.flatMap(memberPaths)
    : [path, ...(test.kind === 'tree' ? [test.parent] : [])];

const memberPaths = (members: readonly BoundMember[]): readonly BoundPath[] =>
  members.flatMap((member) => (member.kind === 'members' ? memberPaths(member.members) : [member.path]));
