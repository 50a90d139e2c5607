import type { DetailedAttributeInfo } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES } from '../model/automatic-attributes.ts';
import { attributesOf, entityOfValue, kindOf, type Schema, UNTYPED } from './schema.ts';
import { isNewLine, isObject, keptLines, keyOfLine, type Line, linesOf, type Values } from './values.ts';

/** The value of an attribute has not changed. */
const SAME = Symbol('same');

/** A write of what was edited. */
export interface Change {
  readonly values: Values;
  /**
   * A merge patch, with which each child names only what has changed; a PUT where a JSON value has null inside, which
   * a merge patch cannot express. In a PUT each stored child has all of its values.
   */
  readonly method: 'PATCH' | 'PUT';
}

/** What a save sends: the attributes that differ, with the children of compositions at any depth. */
export function changeOf(schema: Schema, entity: string, base: Values, draft: Values): Change {
  const patch = new Writing(schema, false);
  const values = patch.changesOf(entity, base, draft);
  if (patch.isExact) return { values: { ...tokenOf(base), ...values }, method: 'PATCH' };
  return { values: { ...tokenOf(base), ...new Writing(schema, true).changesOf(entity, base, draft) }, method: 'PUT' };
}

/** What the server wants back: it names rows that the user does not see (contract/row-policies.md#security-token). */
const SENT_BACK = ['__securityToken', '_partial'];

const tokenOf = (values: Values): Values =>
  Object.fromEntries(SENT_BACK.flatMap((name) => (name in values ? [[name, values[name]]] : [])));

/** The values of a new instance; those without a value keep their defaults. */
export const newValuesOf = (schema: Schema, entity: string, draft: Values): Values =>
  new Writing(schema, true).changesOf(entity, undefined, draft);

/** Whether something differs. */
export const hasChanged = (schema: Schema, entity: string, base: Values, draft: Values): boolean =>
  Object.keys(new Writing(schema, false).changesOf(entity, base, draft)).length > 0;

/** Whether two values of an attribute are the same for a write. */
export const isSameValue = (schema: Schema, attribute: DetailedAttributeInfo, one: unknown, other: unknown): boolean =>
  new Writing(schema, false).changeOf(attribute, one, other) === SAME;

class Writing {
  readonly #schema: Schema;
  readonly #isWhole: boolean;
  isExact = true;

  constructor(schema: Schema, isWhole: boolean) {
    this.#schema = schema;
    this.#isWhole = isWhole;
  }

  changesOf(entity: string, base: Values | undefined, draft: Values): Values {
    const changed = attributesOf(this.#schema, entity, draft)
      .filter(({ name }) => name in draft && !AUTOMATIC_ATTRIBUTES.has(name) && (name !== 'id' || base === undefined))
      .map((attribute): [string, unknown] => [
        attribute.name,
        this.changeOf(attribute, base?.[attribute.name], draft[attribute.name]),
      ]);
    return Object.fromEntries(changed.filter(([, value]) => value !== SAME));
  }

  changeOf(attribute: DetailedAttributeInfo, before: unknown, after: unknown): unknown {
    if (attribute.type === UNTYPED) return untypedChange(before, after);
    const kind = kindOf(attribute);
    switch (kind) {
      case 'lines':
        return this.#linesChange(attribute.type, linesOf(before), after);
      case 'part':
        return this.#partChange(attribute.type, before, after);
      case 'embedded':
        return this.#embeddedChange(attribute.type, before, after);
      case 'reference':
        return idTextOf(before) === idTextOf(after) ? SAME : toReference(after);
      case 'references':
        return after === undefined || idsOf(before) === idsOf(after) ? SAME : linesOf(after).map(toReference);
      case 'elements': {
        const [was, is] = [before, after].map((value) => linesOf(value).filter((each) => !isEmpty(each)));
        return JSON.stringify(was) === JSON.stringify(is) ? SAME : is;
      }
      case 'json':
        return this.#jsonChange(before, after);
      case 'number':
        return numberTextOf(before) === numberTextOf(after) ? SAME : emptyToNull(after);
      case 'value':
        return emptyToNull(before) === emptyToNull(after) ? SAME : emptyToNull(after);
      default:
        return kind satisfies never;
    }
  }

  #linesChange(type: string, before: readonly Line[], after: unknown): unknown {
    if (after === undefined) return SAME;
    const byKey = new Map(before.map((line) => [keyOfLine(line), line]));
    const lines = keptLines(after);
    let isChanged = lines.length !== before.length;
    const sent = lines.map((line) => {
      const was = isNewLine(line) ? undefined : byKey.get(keyOfLine(line));
      const changes = this.changesOf(entityOfValue(this.#schema, line, type), was, line);
      if (was === undefined || Object.keys(changes).length > 0) isChanged = true;
      return was === undefined
        ? { ...chosenEntity(line, type), ...changes }
        : { id: line['id'], ...tokenOf(line), ...changes };
    });
    if (!isChanged) return SAME;
    if (!this.#isWhole) return sent;
    return lines.map((line, at) =>
      isNewLine(line) ? sent[at] : { ...sent[at], ...this.#wholeOf(entityOfValue(this.#schema, line, type), line) },
    );
  }

  /** All values of a stored child: a PUT clears what one child names and another does not. */
  #wholeOf(entity: string, values: Values): Values {
    const all = attributesOf(this.#schema, entity).filter(
      ({ name, readOnly }) => name in values && name !== 'id' && !readOnly && !AUTOMATIC_ATTRIBUTES.has(name),
    );
    return Object.fromEntries(
      all.map((attribute) => {
        const change = this.changeOf(attribute, undefined, values[attribute.name]);
        return [attribute.name, change === SAME ? emptyOf(attribute) : change];
      }),
    );
  }

  #partChange(type: string, before: unknown, after: unknown): unknown {
    if (after === undefined) return SAME;
    if (!isObject(after) || after['_removed'] === true) return isObject(before) ? null : SAME;
    const entity = entityOfValue(this.#schema, after, type);
    if (!isObject(before) || idTextOf(before) !== idTextOf(after))
      return { ...chosenEntity(after, type), ...this.changesOf(entity, undefined, after) };
    const changes = this.changesOf(entity, before, after);
    return Object.keys(changes).length === 0 ? SAME : { id: after['id'], ...tokenOf(after), ...changes };
  }

  #embeddedChange(type: string, before: unknown, after: unknown): unknown {
    if (after === undefined) return SAME;
    if (!isObject(after)) return isObject(before) ? null : SAME;
    const changes = this.changesOf(type, isObject(before) ? before : {}, after);
    return Object.keys(changes).length === 0 ? SAME : changes;
  }

  #jsonChange(before: unknown, after: unknown): unknown {
    if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return SAME;
    if (this.#isWhole) return after ?? null;
    const { patch, isExact } = mergeJson(before, after ?? null);
    if (!isExact && before !== undefined) this.isExact = false;
    return patch;
  }
}

/** The entity of a new child, where it extends that of the attribute. */
const chosenEntity = (values: Values, declared: string): Values => {
  const named = values['_entityName'];
  return typeof named === 'string' && named !== declared ? { _entityName: named } : {};
};

/** Without a model: a member with an id is a reference. */
function untypedChange(before: unknown, after: unknown): unknown {
  const [was, is] = [before, after].map((value) =>
    isObject(value) && 'id' in value ? toReference(value) : emptyToNull(value),
  );
  return JSON.stringify(was) === JSON.stringify(is) ? SAME : is;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const emptyToNull = (value: unknown): unknown => (isEmpty(value) ? null : value);

const emptyOf = (attribute: DetailedAttributeInfo): unknown => (attribute.cardinality.endsWith('_TO_MANY') ? [] : null);

const idTextOf = (value: unknown): string => (isObject(value) ? JSON.stringify(value['id']) : 'null');

const idsOf = (value: unknown): string => JSON.stringify(linesOf(value).map(idTextOf).sort());

const toReference = (value: unknown): unknown => (isObject(value) ? { id: value['id'] } : null);

/** A number without zeros that do not change its value. */
function numberTextOf(value: unknown): string {
  if (isEmpty(value)) return '';
  const text = String(value).trim();
  const [, sign = '', whole = '', fraction = ''] = /^([-+]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === '' && fraction === '') return /^[-+]?[0.]+$/.test(text) ? '0' : text;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A merge patch (RFC 7396) of a JSON value. */
interface JsonMerge {
  readonly patch: unknown;
  /** False: no merge patch leads to the value, since null in it would remove its member. */
  readonly isExact: boolean;
}

/** The patch that makes one JSON value of another. */
function mergeJson(before: unknown, after: unknown): JsonMerge {
  if (!isObject(after)) return { patch: after, isExact: true };
  const from = isObject(before) ? before : {};
  const patch: Record<string, unknown> = {};
  let isExact = true;
  for (const name of Object.keys(from)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (name in from && JSON.stringify(from[name]) === JSON.stringify(value)) continue;
    if (value === null) isExact = false;
    const nested = mergeJson(from[name], value);
    patch[name] = nested.patch;
    isExact &&= nested.isExact;
  }
  return { patch, isExact };
}
