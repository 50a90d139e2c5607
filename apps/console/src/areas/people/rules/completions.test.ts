import type { EntityInfo } from '@lintel/client';
import { completionsOf } from './completions.ts';

const entity = (entityName: string, properties: Readonly<Record<string, string>>): [string, EntityInfo] => [
  entityName,
  {
    entityName,
    properties: Object.entries(properties).map(([name, type]) => ({ name, type })),
  } as unknown as EntityInfo,
];
const entities = new Map([
  entity('t_Order', { number: 'string', customer: 't_Customer' }),
  entity('t_Customer', { name: 'string', country: 'string' }),
]);
const labels = (condition: string): readonly string[] =>
  completionsOf(entities, 't_Order', condition).map(({ label }) => label);

test('a condition begins with the instance', () => {
  expect(labels('')).toEqual(['{E}.']);
  expect(labels("{E}.number = 'a' and ")).toEqual(['{E}.']);
});

test('attributes follow a path, also one that leads through a reference', () => {
  expect(labels('{E}.')).toEqual(['number', 'customer']);
  expect(labels('{E}.customer.c')).toEqual(['country']);
  expect(completionsOf(entities, 't_Order', '{E}.customer.c')[0]?.from).toBe('{E}.customer.'.length);
});

test('parameters follow a colon', () => {
  expect(labels('{E}.customer.country = :current_user_c')).toEqual(['current_user_country']);
});

test('nothing follows a value or a path that leads nowhere', () => {
  expect(labels("{E}.number = 'a'")).toEqual([]);
  expect(labels('{E}.none.')).toEqual([]);
});
