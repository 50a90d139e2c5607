import { type Datatype, familyOf, lineageOf, type Model } from '@lintel/metadata';
import { type LiteralType, typeNameOf } from '../../literals/literal-type.ts';
import type { ScalarType, ValueType } from './bound-expression.ts';

export const scalar = (datatype: Datatype): ScalarType => ({ kind: 'scalar', type: { kind: 'datatype', datatype } });
export const ofLiteral = (type: LiteralType): ScalarType => ({ kind: 'scalar', type });

/** Values of one group can be compared with each other. */
export type TypeGroup =
  | 'text'
  | 'number'
  | 'boolean'
  | 'uuid'
  | 'date'
  | 'time'
  | 'zoned-time'
  | 'binary'
  | 'json'
  | 'enum';

const GROUPS: Readonly<Partial<Record<Datatype, TypeGroup>>> = {
  time: 'time',
  localTime: 'time',
  offsetTime: 'zoned-time',
};

/** The group of a type; undefined for instances and types of instances. */
export function groupOf(type: ValueType): TypeGroup | undefined {
  if (type.kind !== 'scalar') return undefined;
  if (type.type.kind === 'enum') return 'enum';
  const { datatype } = type.type;
  const own = GROUPS[datatype];
  if (own !== undefined) return own;
  const family = familyOf(datatype);
  switch (family) {
    case 'text':
    case 'reference-text':
      return 'text';
    case 'integer':
    case 'floating':
    case 'decimal':
      return 'number';
    case 'temporal':
      return 'date';
    default:
      return family;
  }
}

const ORDERED: ReadonlySet<TypeGroup | undefined> = new Set<TypeGroup>([
  'text',
  'number',
  'date',
  'time',
  'zoned-time',
]);

/** Whether one value of the type can be less than another. */
export const hasOrder = (type: ValueType): boolean => ORDERED.has(groupOf(type));

/** Whether values of the two types can be equal. */
export function isComparable(model: Model, left: ValueType, right: ValueType): boolean {
  if (left.kind === 'scalar' && right.kind === 'scalar') {
    const isEnum = left.type.kind === 'enum' && right.type.kind === 'enum';
    return isEnum
      ? nameOfType(left) === nameOfType(right)
      : groupOf(left) === groupOf(right) && groupOf(left) !== 'enum';
  }
  if (left.kind === 'scalar' || right.kind === 'scalar' || left.kind !== right.kind) return false;
  return (
    left.kind === 'entity-type' ||
    lineageOf(model, left.entity).includes(right.entity) ||
    lineageOf(model, right.entity).includes(left.entity)
  );
}

/** The type that includes the values of both; undefined if there is none. */
export function unify(model: Model, left: ValueType, right: ValueType): ValueType | undefined {
  if (!isComparable(model, left, right)) return undefined;
  if (left.kind !== 'scalar' || right.kind !== 'scalar') return left;
  if (left.type.kind === 'enum' || right.type.kind === 'enum') return left;
  if (left.type.datatype === right.type.datatype) return left;
  const [one, other] = [left.type.datatype, right.type.datatype];
  switch (groupOf(left)) {
    case 'number':
      return widerNumber(one, other);
    case 'date':
      return scalar([one, other].includes('offsetDateTime') ? 'offsetDateTime' : 'localDateTime');
    case 'text':
      return scalar('string');
    default:
      return left;
  }
}

const isFloating = (datatype: Datatype): boolean => familyOf(datatype) === 'floating';
const isInteger = (datatype: Datatype): boolean => familyOf(datatype) === 'integer';

/** The number type of the result of arithmetic with the two. */
export function widerNumber(one: Datatype, other: Datatype): ScalarType {
  if (isFloating(one) || isFloating(other)) return scalar('double');
  if (isInteger(one) && isInteger(other)) return scalar('long');
  return scalar(one === 'bigInteger' && other === 'bigInteger' ? 'bigInteger' : 'decimal');
}

/** The datatype of a scalar; undefined for enums, entities and types of entities. */
export const datatypeOf = (type: ValueType): Datatype | undefined =>
  type.kind === 'scalar' && type.type.kind === 'datatype' ? type.type.datatype : undefined;

/** The name of a type in error texts. */
export function nameOfType(type: ValueType): string {
  if (type.kind === 'entity') return type.entity.name;
  if (type.kind === 'entity-type') return `type of ${type.entity.name}`;
  return type.type.kind === 'enum' ? typeNameOf(type.type) : type.type.datatype;
}
