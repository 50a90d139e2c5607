import type { ValueForm } from '@lintel/application';
import { inQuery, jsonText, listOf, objectOf, type ParameterDescription, type Schema, STRING } from '@lintel/contracts';
import type { Captions, Model } from '@lintel/metadata';
import { enumSchema, instanceSchema } from './attribute-schema.ts';
import { scalarSchema } from './scalar-schema.ts';

/** The schema of a parameter or a result of a service method, in JSON. */
export function valueSchema(model: Model, captions: Captions, form: ValueForm): Schema {
  switch (form.kind) {
    case 'datatype':
      return scalarSchema(form.datatype);
    case 'enum':
      return enumSchema(model, captions, form.enumName);
    case 'entity':
      return instanceSchema(model, form.entity);
    case 'list':
      return listOf(valueSchema(model, captions, form.item));
    case 'record': {
      const members = Object.entries(form.members);
      return objectOf(
        Object.fromEntries(members.map(([name, member]) => [name, valueSchema(model, captions, member.form)])),
        members.filter(([, { required }]) => required).map(([name]) => name),
      );
    }
    case 'object':
      return { type: 'object', additionalProperties: true };
    case 'any':
    case 'void':
      return {};
    default:
      return form satisfies never;
  }
}

/** A parameter in a URL: what is structured is written as JSON. */
export const inUrl = (
  { name, required, form }: { readonly name: string; readonly required: boolean; readonly form: ValueForm },
  schema: Schema,
): ParameterDescription => ({
  ...inQuery(name, `The parameter \`${name}\``, isStructured(form) ? jsonText(schema) : schema),
  required,
});

const isStructured = ({ kind }: ValueForm): boolean =>
  kind === 'entity' || kind === 'list' || kind === 'record' || kind === 'object';

/** The content of a result (contract/decisions.md#26): text for texts, numbers and dates; nothing for void. */
export function resultContent(model: Model, captions: Captions, form: ValueForm): Readonly<Record<string, Schema>> {
  switch (form.kind) {
    case 'void':
      return {};
    case 'datatype':
      return form.datatype === 'boolean'
        ? { 'application/json': scalarSchema('boolean') }
        : { 'text/plain': textOf(scalarSchema(form.datatype)), 'application/json': scalarSchema(form.datatype) };
    case 'any':
    case 'object':
      return { 'application/json': {}, 'text/plain': { type: 'string' } };
    default:
      return { 'application/json': valueSchema(model, captions, form) };
  }
}

/** Formats of numbers are not those of texts. */
const textOf = (schema: Schema): Schema => (schema['type'] === 'string' ? schema : STRING);
