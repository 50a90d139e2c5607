import { type Attribute, type Entity, entityOf, type Model } from '@lintel/metadata';
import { between, type Choose, chance, pick } from './choose.ts';
import { Exact } from './exact.ts';
import { generateScalar } from './generate-scalar.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import type { Scalar, ScalarType } from './scalars.ts';

/** A value as a client sends it, and what it means. */
export interface Sent<T> {
  readonly json: unknown;
  readonly value: T;
}

/** A value to compare an attribute with: often one that there is, else one near it or any other. */
export function generateOperand(
  choose: Choose,
  model: Model,
  attribute: Attribute,
  present: readonly Scalar[],
): Sent<Scalar> {
  const type = scalarTypeOf(model, attribute);
  const isPresent = present.length > 0 && chance(choose, 70);
  const value = isPresent ? pick(choose, present) : generateScalar(choose, attribute, type);
  return sentForm(choose, type, chance(choose, 25) ? near(choose, type, value) : value);
}

/** A value close to another one; decimals with digits beyond the column's scale, times with microseconds. */
function near(choose: Choose, type: ScalarType, value: Scalar): Scalar {
  if (type.kind === 'enum') return value;
  switch (type.datatype) {
    case 'decimal':
      return String(value).includes('.') ? `${value}00000000001` : `${value}.5`;
    case 'string':
    case 'uri':
    case 'fileRef':
      return pick(choose, [String(value).toUpperCase(), String(value).toLowerCase(), `${value} `, `${value}%`]);
    case 'dateTime':
    case 'localDateTime':
      return `${value}${between(choose, 1, 999).toString().padStart(3, '0')}`;
    case 'time':
    case 'localTime':
      return `${value}.${between(choose, 1, 999_999).toString().padStart(6, '0')}`;
    case 'offsetDateTime':
      return `${String(value).slice(0, -1)}001Z`;
    default:
      return value;
  }
}

/** One of the forms in which a client may write the value: contract/instances.md#values, contract/filters.md#values. */
export function sentForm(choose: Choose, type: ScalarType, value: Scalar): Sent<Scalar> {
  const text = String(value);
  const as = (...forms: readonly unknown[]): Sent<Scalar> => ({ json: pick(choose, forms), value });
  if (type.kind === 'enum') return as(text);
  switch (type.datatype) {
    case 'boolean':
      return as(value, text, text.toUpperCase());
    case 'short':
    case 'int':
    case 'long':
    case 'bigInteger':
      return as(new Exact(text), text);
    case 'decimal':
      return as(
        new Exact(text),
        text,
        text.includes('.') ? `${text}00` : `${text}.0`,
        `${text}e0`,
        new Exact(`${text}E+00`),
      );
    case 'float':
    case 'double':
      return as(new Exact(text), text);
    case 'uuid':
      return as(text, text.toUpperCase(), text.replaceAll('-', ''));
    case 'date':
    case 'localDate':
      return as(text, `${text}Z`, `${text}+02:00`);
    case 'dateTime':
      return as(text, shortTime(text), `${text}Z`, `${text}-07:00`);
    case 'localDateTime':
    case 'time':
    case 'localTime':
      return as(text, shortTime(text));
    case 'offsetDateTime':
      return as(
        text,
        `${shortTime(text.slice(0, -1))}+00:00`,
        movedBy(text, 330, '+05:30'),
        movedBy(text, -720, '-12:00'),
      );
    default:
      return as(text);
  }
}

/** Without the seconds and the fraction, where they are zero. */
const shortTime = (text: string): string =>
  text.includes('.')
    ? text
        .replace(/0+$/, '')
        .replace(/\.$/, '')
        .replace(/(:\d\d):00$/, '$1')
    : text.replace(/(:\d\d):00$/, '$1');

/** The same instant in another zone; microseconds stay. */
function movedBy(text: string, minutes: number, offset: string): string {
  const [, seconds = '', fraction = ''] = /^([^.]*)(\.\d+)?Z$/.exec(text) ?? [];
  const moved = new Date(Date.parse(`${seconds}Z`) + minutes * 60_000).toISOString().slice(0, 19);
  return moved.startsWith('0') || moved.startsWith('+') ? text : `${moved}${fraction}${offset}`;
}

/** The key of an instance as a filter refers to it: the id, or an object that has it. */
export function sentKey(choose: Choose, model: Model, entity: Entity, key: readonly Scalar[]): Sent<readonly Scalar[]> {
  const parts = keyAttributesOf(model, entity);
  const sent = parts.map((part, at) => sentForm(choose, scalarTypeOf(model, part), key[at] ?? '').json);
  const isComposite = entity.attributes.get(entity.key?.attribute ?? '')?.kind === 'embedded';
  const members = Object.fromEntries(parts.map(({ name }, at) => [name, sent[at]]));
  const id = isComposite ? pick(choose, [members, pathForm(model, entity, key)]) : sent[0];
  const json = pick(choose, [id, { id }, { _entityName: entity.name, id, other: [1] }]);
  return { json, value: key };
}

/** The key as it stands in a path: contract/instances.md#ids. */
export function pathForm(model: Model, entity: Entity, key: readonly Scalar[]): string {
  const attribute = entity.attributes.get(entity.key?.attribute ?? '');
  if (attribute?.kind !== 'embedded') return String(key[0]);
  const parts = [...entityOf(model, attribute.target).attributes.keys()];
  const members = Object.fromEntries(parts.map((name, at) => [name, numberOrText(key[at] ?? '')]));
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}

const numberOrText = (value: Scalar): unknown =>
  typeof value === 'number' || typeof value === 'bigint' ? new Exact(String(value)) : value;
