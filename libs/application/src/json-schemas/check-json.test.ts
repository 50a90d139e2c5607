import { json, keyedEntity, string } from '@lintel/metadata';
import { defineApplication } from '../define-application.ts';
import { checkJson } from './check-json.ts';

const SCHEMA = {
  type: 'object',
  required: ['color'],
  properties: {
    color: { type: 'string' },
    sizes: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'number', minimum: 1 } } } },
    mail: { type: 'string', format: 'email' },
  },
};

test.each([
  [{ color: 'red' }, undefined],
  [{ color: 'red', sizes: [{ 'a/b': 1 }] }, undefined],
  [{}, { path: '', problem: "must have required property 'color'" }],
  [{ color: 5 }, { path: '.color', problem: 'must be string' }],
  [
    { color: '', sizes: [{}, { 'a/b': 0 }] },
    { path: '.sizes[1].a/b', problem: 'must be >= 1' },
  ],
  [
    { color: '', mail: 'x' },
    { path: '.mail', problem: 'must match format "email"' },
  ],
])('the violation of %j is %j', (value, violation) => {
  expect(checkJson(SCHEMA, value)).toEqual(violation);
});

test.each([
  [{ type: 'objekt' }, 'type must be'],
  [{ type: 'object', propertys: {} }, 'unknown keyword: "propertys"'],
  [{ type: 'string', format: 'mail' }, 'unknown format "mail"'],
  [{ $ref: 'https://example.com/other' }, "can't resolve reference"],
])('an application with the schema %j is refused with the name of the attribute', (schema, reason) => {
  const attributes = { code: string(10), data: json({ schema }) };
  const entities = [keyedEntity('t_One', { key: 'code', attributes })];
  const define = () => defineApplication({ id: 't', name: 'T', entities });
  expect(define).toThrow('The JSON Schema of t_One.data is not valid: ');
  expect(define).toThrow(reason);
});
