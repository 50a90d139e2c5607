import { DATATYPES, type Datatype, javaTypeOf, type Model } from '@lintel/metadata';
import type { ValueForm } from '../value-type.ts';

const datatype = (name: Datatype): ValueForm => ({ kind: 'datatype', datatype: name });

/** Names that a configuration may use besides those of datatypes, entities and enums. */
const FURTHER_NAMES: ReadonlyMap<string, ValueForm> = new Map<string, ValueForm>([
  ...DATATYPES.map((name): [string, ValueForm] => [javaTypeOf(name), datatype(name)]),
  ...DATATYPES.map((name): [string, ValueForm] => [name, datatype(name)]),
  // A byte is read as the next wider integer; its range is the method's business.
  ['byte', datatype('short')],
  ['java.lang.Byte', datatype('short')],
  ['java.sql.Timestamp', datatype('dateTime')],
  ['byte[]', datatype('byteArray')],
  ['object', { kind: 'object' }],
  ['java.util.Map', { kind: 'object' }],
  ['java.lang.Object', { kind: 'any' }],
  ['java.util.List', { kind: 'list', item: { kind: 'any' } }],
  ['java.util.Set', { kind: 'list', item: { kind: 'any' } }],
  ['java.util.Collection', { kind: 'list', item: { kind: 'any' } }],
]);

const PRIMITIVES = new Set(['boolean', 'byte', 'char', 'double', 'float', 'int', 'long', 'short']);

/** Whether a type's name is of a value that cannot be null. */
export const isPrimitiveName = (name: string): boolean => PRIMITIVES.has(name.trim());

/**
 * The type that a configuration names: a datatype (`uuid`, `java.util.UUID`), an entity, an enum, `object`,
 * or any of them with `[]` for a list of it.
 *
 * @returns nothing if the name is unknown
 */
export function parseTypeName(text: string, model: Pick<Model, 'entities' | 'enums'>): ValueForm | undefined {
  const name = text.trim();
  const known = FURTHER_NAMES.get(name);
  if (known !== undefined) return known;
  const generic = /^java\.util\.(?:List|Set|Collection)<(.+)>$/.exec(name)?.[1] ?? /^(.+)\[\]$/.exec(name)?.[1];
  if (generic !== undefined) {
    const item = parseTypeName(generic, model);
    return item === undefined ? undefined : { kind: 'list', item };
  }
  if (model.entities.has(name)) return { kind: 'entity', entity: name };
  return model.enums.has(name) ? { kind: 'enum', enumName: name } : undefined;
}

/** The name of a type in the listing of the services (contract/services.md#listing). */
export function typeNameOf(form: ValueForm): string {
  switch (form.kind) {
    case 'datatype':
      return javaTypeOf(form.datatype);
    case 'enum':
      return form.enumName;
    case 'entity':
      return form.entity;
    case 'list':
      return `${typeNameOf(form.item)}[]`;
    case 'record':
    case 'object':
      return 'object';
    case 'any':
      return 'java.lang.Object';
    case 'void':
      return 'void';
    default:
      return form satisfies never;
  }
}
