import type { ValueForm } from '@lintel/application';
import { entityOf } from '@lintel/metadata';
import { ExactNumber } from '@lintel/query';
import { canonicalOf, type EntityWriting, jsonScalar, namedEntity, serializeEntity } from '@lintel/reading';

/** A result in its response form (contract/services.md#result, contract/decisions.md#26). */
export type ShapedResult =
  | { readonly kind: 'empty' }
  /** `text/plain;charset=UTF-8`; the JSON value for callers who ask for JSON (contract/decisions.md#61). */
  | { readonly kind: 'text'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'json'; readonly text: string };

const json = (value: unknown): ShapedResult => ({ kind: 'json', text: JSON.stringify(value) });

/**
 * Shapes the result of a method: no body for void and null, texts for strings, numbers and dates, JSON for
 * everything else.
 *
 * @throws TypeError if the value does not match the declared type: a bug of the application
 */
export function shapeResult(writing: EntityWriting, form: ValueForm, value: unknown): ShapedResult {
  if (value === undefined || value === null || form.kind === 'void') return { kind: 'empty' };
  switch (form.kind) {
    case 'datatype': {
      const canonical = canonicalOf(form.datatype, value);
      return typeof canonical === 'boolean'
        ? json(canonical)
        : { kind: 'text', text: String(canonical), value: jsonScalar(form.datatype, value) };
    }
    case 'any':
    case 'object':
      return shapeUndeclared(writing, value);
    case 'enum':
    case 'entity':
    case 'list':
    case 'record':
      return json(declaredJson(writing, form, value));
    default:
      return form satisfies never;
  }
}

/** A value as JSON, according to its declared type. */
function declaredJson(writing: EntityWriting, form: ValueForm, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const { model } = writing;
  switch (form.kind) {
    case 'datatype':
      return jsonScalar(form.datatype, value);
    case 'enum':
      if (model.enums.get(form.enumName)?.values.every(({ name }) => name !== value))
        throw new TypeError(`${String(value)} is no constant of ${form.enumName}`);
      return value;
    case 'entity':
      return serializeEntity(writing, entityOf(model, form.entity), value);
    case 'list':
      if (!isIterable(value)) throw new TypeError('A list is expected');
      return [...value].map((item) => declaredJson(writing, form.item, item));
    case 'record': {
      const members = value as Readonly<Record<string, unknown>>;
      const shaped = Object.entries(form.members).map(([name, member]) => [
        name,
        declaredJson(writing, member.form, members[name]),
      ]);
      return Object.fromEntries(shaped.filter(([, member]) => member !== null));
    }
    default:
      return plainJson(writing, value);
  }
}

/** The form of the response follows from the returned value. */
function shapeUndeclared(writing: EntityWriting, value: unknown): ShapedResult {
  if (typeof value === 'string') return { kind: 'text', text: value, value };
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber)
    return { kind: 'text', text: String(value), value: plainJson(writing, value) };
  if (value instanceof Date) return { kind: 'text', text: dateText(value), value: dateText(value) };
  const entity = namedEntity(writing.model, value);
  if (entity !== undefined) return json(serializeEntity(writing, entity, value));
  if (Array.isArray(value) && value.length > 0) {
    const entities = value.map((item) => namedEntity(writing.model, item));
    // A list that contains only instances is a list of entities, even if another type is declared.
    if (entities.every((each) => each !== undefined))
      return json(value.map((item, at) => serializeEntity(writing, entities[at] as never, item)));
  }
  return json(plainJson(writing, value));
}

/**
 * A value of any form as JSON: objects without nulls, `Date` as date-time, nested instances in the form of the entity
 * API, but without instance names (contract/services.md#result) and only with attributes that the caller may view.
 */
function plainJson(writing: EntityWriting, value: unknown): unknown {
  if (typeof value === 'bigint') return new ExactNumber(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return value;
  if (value instanceof Date) return dateText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const entity = namedEntity(writing.model, value);
  if (entity !== undefined) return serializeEntity({ ...writing, instanceNames: false }, entity, value);
  if (value instanceof Map) return plainJson(writing, Object.fromEntries(value));
  if (isIterable(value)) return [...value].map((item) => plainJson(writing, item) ?? null);
  const own = 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value;
  if (typeof own !== 'object' || own === null) return own;
  const members = Object.entries(own).map(([name, member]) => [name, plainJson(writing, member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null && member !== undefined));
}

const dateText = (date: Date): string => date.toISOString().slice(0, -1);

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
