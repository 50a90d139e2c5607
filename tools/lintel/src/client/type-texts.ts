import type { ValueForm } from '@lintel/application';
import {
  type Attribute,
  DATATYPES,
  type Datatype,
  enumerationOf,
  familyOf,
  isToMany,
  javaTypeOf,
  type Model,
} from '@lintel/metadata';

/** The name of an entity or enum as a TypeScript type: `sales.OrderStatus` is `sales_OrderStatus`. */
export const typeName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_$]/gu, '_');

/** A member, quoted where it has to be. */
export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** The constants of an enum. */
export const constantsOf = (model: Model, name: string): string =>
  enumerationOf(model, name)
    .values.map((value) => `'${value.name}'`)
    .join(' | ');

/** The type of a datatype in a response; exact numbers are texts with all digits. */
export function scalarType(datatype: Datatype): string {
  if (datatype === 'long' || datatype === 'bigInteger') return 'lintel.Long';
  switch (familyOf(datatype)) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'floating':
      return 'number';
    case 'decimal':
      return 'lintel.Decimal';
    case 'json':
      return 'unknown';
    default:
      return 'string';
  }
}

/** Whether numbers of a datatype are texts in a response, so that they keep all digits. */
export const isExact = (datatype: Datatype): boolean => scalarType(datatype).startsWith('lintel.');

/** Where the type of a number is unknown, it is a number unless this loses digits. */
const looseType = (datatype: Datatype): string =>
  isExact(datatype) ? `${scalarType(datatype)} | number` : scalarType(datatype);

/** The value of an attribute; `target` is what a reference shows, an instance without it. */
export function attributeType(attribute: Attribute, target?: string): string {
  switch (attribute.kind) {
    case 'datatype':
      return scalarType(attribute.datatype);
    case 'enum':
      return typeName(attribute.enumName);
    case 'elements':
      return `readonly ${scalarType(attribute.datatype)}[]`;
    case 'embedded':
      return target ?? typeName(attribute.target);
    case 'reference': {
      const one = target ?? typeName(attribute.target);
      return isToMany(attribute) ? `readonly ${one}[]` : one;
    }
    default:
      return attribute satisfies never;
  }
}

/** A parameter of a predefined query, by the name of its type: a datatype, its Java class or an enum, with `[]` for lists. */
export function parameterType(name: string): string {
  if (name.endsWith('[]')) return `readonly (${parameterType(name.slice(0, -2))})[]`;
  const datatype = DATATYPES.find((one) => one === name || javaTypeOf(one) === name);
  return datatype === undefined ? typeName(name) : scalarType(datatype);
}

/** A parameter or a result of a service method. Results that are texts, numbers or dates come as exact texts. */
export function formType(form: ValueForm, use: 'parameter' | 'result' | 'inside'): string {
  switch (form.kind) {
    case 'datatype': {
      if (use !== 'result') return looseType(form.datatype);
      return scalarType(form.datatype) === 'number' ? 'string' : scalarType(form.datatype);
    }
    case 'enum':
      return typeName(form.enumName);
    case 'entity':
      return typeName(form.entity);
    case 'list':
      return `readonly (${formType(form.item, 'inside')})[]`;
    case 'record': {
      const members = Object.entries(form.members).map(
        ([name, member]) =>
          `readonly ${memberName(name)}${member.required ? '' : '?'}: ${formType(member.form, 'inside')}`,
      );
      return `{ ${members.join('; ')} }`;
    }
    case 'object':
      return 'Readonly<Record<string, unknown>>';
    case 'any':
      return 'unknown';
    case 'void':
      return 'undefined';
    default:
      return form satisfies never;
  }
}
