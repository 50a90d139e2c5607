import type { AttributeInfo, EntityInfo } from '@lintel/client';
import type { RecordModel } from './record-model.ts';
import { toId } from './records.ts';

type Values = Readonly<Record<string, unknown>>;

/** What the service sets by itself. */
const AUTOMATIC = new Set([
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);

/** Datatypes whose values are JavaScript numbers. The others with more digits are accepted as texts. */
const NUMBERS = new Set(['double', 'float', 'int', 'short']);

/**
 * What is sent of the values of a form: attributes of the entity that can be changed, references as their ids, children
 * with their own attributes. With the record that the form began with, only what differs from it.
 */
export function toInput(
  model: Pick<RecordModel, 'entityInfo'>,
  entity: EntityInfo,
  values: Values,
  before?: Values,
): Values {
  const input = Object.fromEntries(
    entity.properties
      .filter(({ name, readOnly }) => name in values && !readOnly && !AUTOMATIC.has(name))
      .map((attribute) => {
        const input = inputOf(model, attribute, values[attribute.name]);
        const stored = before && inputOf(model, attribute, before[attribute.name]);
        return { name: attribute.name, input, isSame: before !== undefined && isEqual(input, stored) };
      })
      .filter(({ name, isSame, input }) => !isSame && !(name === 'id' && (before !== undefined || input === null)))
      .map(({ name, input }) => [name, input]),
  );
  const { _partial } = before ?? values;
  return _partial === undefined || Object.keys(input).length === 0 ? input : { ...input, _partial };
}

function inputOf(model: Pick<RecordModel, 'entityInfo'>, attribute: AttributeInfo, value: unknown): unknown {
  const { attributeType, type } = attribute;
  if (value === undefined || value === null || (value === '' && type !== 'string')) return null;
  const one = (each: unknown): unknown => {
    if (attributeType === 'ASSOCIATION') return referenceOf(each);
    if (attributeType === 'DATATYPE') return NUMBERS.has(type) ? toNumber(each) : each;
    const target = attributeType === 'COMPOSITION' || attributeType === 'EMBEDDED' ? model.entityInfo(type) : undefined;
    return target === undefined ? each : nestedInput(model, target, each as Values);
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}

/** A child is named by its id. */
function nestedInput(model: Pick<RecordModel, 'entityInfo'>, target: EntityInfo, values: Values): Values {
  const { id } = values;
  return { ...(id !== undefined && id !== null && { id: toId(id) }), ...toInput(model, target, values) };
}

/** Forms have references as objects with an id, or as ids; without an id it is none. */
function referenceOf(reference: unknown): object | null {
  const id = typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : reference;
  return id === undefined || id === null || id === '' ? null : { id: toId(id) };
}

/** Inputs of HTML have texts. What is no number is left to the service, which says so. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value;

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other || String(one ?? '') === String(other ?? '');
  const [first, second] = [Object.entries(one), other as Values];
  return first.length === Object.keys(second).length && first.every(([name, value]) => isEqual(value, second[name]));
}
