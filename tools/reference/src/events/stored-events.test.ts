import { EVENTS, type EventDefinition, type EventType } from '@lintel/contracts';
import { z } from 'zod';
import { readStoredEvents } from './read-stored-events.ts';
import { EVENTS_FOLDER, storedEvents } from './stored-events.ts';

const published = readStoredEvents(new URL(`../../../../${EVENTS_FOLDER}`, import.meta.url));
const examples = Object.values(published).flatMap(({ type, examples }) =>
  examples.map((example, index) => [type as EventType, index, example] as const),
);

test('every event of the code is stored, and none has become another one since', () => {
  expect(Object.keys(published).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  expect(() => storedEvents(published)).not.toThrow();
});

test.each(examples)('consumers of today read %s as it was published (example %i)', (type, _index, example) => {
  expect(EVENTS[type].schema.parse(example)).toEqual(example);
});

const definition = (schema: z.ZodType, example: unknown): EventDefinition => ({
  schema,
  example,
  subject: 'order',
  publishedWhen: 'it is sold',
  handledBy: {},
});
const name = z.looseObject({ name: z.string() });
const before = storedEvents({}, { 'shop.order.sold.v1': definition(name, { name: 'a' }) });
const stored = Object.fromEntries(before.map((event) => [event.type, event]));

test('a new example stands before those that were published', () => {
  const extended = name.extend({ price: z.number().optional() });
  const [event] = storedEvents(stored, { 'shop.order.sold.v1': definition(extended, { name: 'a', price: 1 }) });
  expect(event?.examples).toEqual([{ name: 'a', price: 1 }, { name: 'a' }]);
  expect(event?.schema.properties).toHaveProperty('price');
});

test('a version that was published may neither change nor go, and a new one may stand beside it', () => {
  const changed = z.looseObject({ name: z.number() });
  const old = { 'shop.order.sold.v1': definition(name, { name: 'a' }) };
  const next = { 'shop.order.sold.v2': definition(changed, { name: 1 }) };
  expect(() => storedEvents(stored, { 'shop.order.sold.v1': definition(changed, { name: 1 }) })).toThrow(
    'shop.order.sold.v1: data.name: type was "string" and is "number"',
  );
  expect(() => storedEvents(stored, next)).toThrow('shop.order.sold.v1 was published and is not there any more');
  expect(storedEvents(stored, { ...old, ...next }).map(({ type }) => type)).toEqual([
    'shop.order.sold.v1',
    'shop.order.sold.v2',
  ]);
});
