import { Ajv, type AnySchemaObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenApi, Schema } from '../read-document.ts';

/** Whether the document allows the values of a request. */
export interface RequestCheck {
  body(schema: Schema, value: unknown): boolean;
  /** `text` is the value of a parameter of the URL. */
  parameter(schema: Schema, text: string): boolean;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;
const isDate = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

export function createRequestCheck(document: OpenApi): RequestCheck {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('time-local', TIME);
  ajv.addFormat(
    'date-time-local',
    (text) => isDate(text.slice(0, 10)) && text[10] === 'T' && TIME.test(text.slice(11)),
  );
  ajv.addFormat('date', isDate);
  ajv.addFormat('int16', {
    type: 'number',
    validate: (value) => Number.isInteger(value) && Math.abs(value + 0.5) < 32_768,
  });
  ajv.addFormat('int64', { type: 'number', validate: (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 63 });
  ajv.addSchema(document as unknown as AnySchemaObject, 'api');
  const compiled = new Map<string, (value: unknown) => boolean>();
  const body = (schema: Schema, value: unknown): boolean => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const validate = compiled.get(text) ?? (ajv.compile(JSON.parse(text)) as (value: unknown) => boolean);
    compiled.set(text, validate);
    return validate(value);
  };
  const parameter = (schema: Schema, text: string): boolean => {
    if (schema.contentSchema !== undefined) {
      try {
        return body(schema.contentSchema, JSON.parse(text));
      } catch {
        return false;
      }
    }
    if (schema.type === 'integer' || schema.type === 'number')
      return /^-?\d+(\.\d+)?$/.test(text) && body(schema, Number(text));
    if (schema.type === 'boolean') return text === 'true' || text === 'false';
    return body(schema, text);
  };
  return { body, parameter };
}
