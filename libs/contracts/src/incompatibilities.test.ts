import { z } from 'zod';
import { type EventSchema, incompatibilities } from './incompatibilities.ts';

const published = {
  name: z.string(),
  change: z.enum(['created', 'deleted']),
  tags: z.array(z.string()),
  location: z.looseObject({ city: z.string() }),
  note: z.string().optional(),
};
const between = (before: z.ZodRawShape, now: z.ZodRawShape) =>
  incompatibilities(schemaOf(before), schemaOf(now)).join('; ');
const schemaOf = (shape: z.ZodRawShape) => z.toJSONSchema(z.looseObject(shape)) as EventSchema;
const { name: _name, ...nameless } = published;

test.each([
  ['nothing changed', published],
  ['an optional member was added', { ...published, more: z.number().optional() }],
  [
    'an optional member of a member was added',
    { ...published, location: z.looseObject({ city: z.string(), zip: z.string().optional() }) },
  ],
])('the versions are one where %s', (_what, now) => {
  expect(between(published, now)).toBe('');
});

test.each<[string, z.ZodRawShape, string]>([
  ['a member was removed', nameless, 'data.name was removed'],
  ['a required member was added', { ...published, more: z.string() }, 'data.more was added as required'],
  [
    'a required member became optional',
    { ...published, name: z.string().optional() },
    'data.name was required and is optional',
  ],
  ['an optional member became required', { ...published, note: z.string() }, 'data.note was optional and is required'],
  ['a member has another type', { ...published, name: z.number() }, 'data.name: type was "string" and is "number"'],
  [
    'an enumeration lost a value',
    { ...published, change: z.enum(['created']) },
    'data.change: enum was ["created","deleted"] and is ["created"]',
  ],
  [
    'an enumeration got a value',
    { ...published, change: z.enum(['created', 'deleted', 'moved']) },
    'data.change: enum was ["created","deleted"] and is ["created","deleted","moved"]',
  ],
  [
    'items have another type',
    { ...published, tags: z.array(z.number()) },
    'data.tags[]: type was "string" and is "number"',
  ],
  [
    'a member of a member has another type',
    { ...published, location: z.looseObject({ city: z.boolean() }) },
    'data.location.city: type was "string" and is "boolean"',
  ],
  [
    'a member may be null',
    { ...published, name: z.string().nullable() },
    'data.name: type was "string" and is ["string","null"]',
  ],
])('it is another version where %s', (_what, now, expected) => {
  expect(between(published, now)).toBe(expected);
});

test('a schema that refuses unknown members is another version', () => {
  const closed = z.toJSONSchema(z.strictObject(published)) as EventSchema;
  expect(incompatibilities(schemaOf(published), closed)).toEqual(['data: additionalProperties was {} and is false']);
});
