import { boolean, buildModel, enumeration, enumOf, standardEntity, string } from '@lintel/metadata';
import { eventProblems } from './check-events.ts';
import { event, onEvent } from './event.ts';

const ROLES = { resourceRoles: new Map([['clerk', {}]]), rowRoles: new Map() };
const STATUS = enumeration('c.Status', { NEW: 'N', CONFIRMED: 'C' });
const MODEL = buildModel({
  entities: [standardEntity('c_Visit', { attributes: { status: enumOf(STATUS), urgent: boolean(), text: string(5) } })],
  enums: [STATUS],
});
const confirmed = event('c.visit-confirmed.v1', {});
type Parts = Partial<Parameters<typeof eventProblems>[0]>;
const problemsOf = (parts: Parts) => eventProblems({ id: 'c', events: [confirmed], ...parts }, MODEL, ROLES);
const handler = (options: object, on: object = confirmed) =>
  onEvent(on as typeof confirmed, { name: 'a', as: 'ada', ...options }, () => {});

// Asserts contract/events.md#declaration and #handlers.
test('events and handlers with all their options are valid', () => {
  const handlers = [
    handler({ retries: 20, timeout: 3_600 }),
    handler(
      { name: 'b', as: { resourceRoles: ['clerk'] } },
      { entity: 'c_Visit', became: { status: 'NEW', urgent: false } },
    ),
  ];
  expect(problemsOf({ eventHandlers: handlers })).toEqual([]);
});

// Asserts contract/events.md#declaration.
test.each([
  ['Confirmed.v1'],
  ['d.confirmed.v1'],
  ['c.confirmed'],
  ['c.confirmed.v0'],
  ['c.v1'],
  [`c.${'x'.repeat(150)}.v1`],
])('the type %s is refused', (type) => {
  expect(problemsOf({ events: [event(type, {})] })).toEqual([
    expect.stringContaining('its type must be c.<fact>.v<number>'),
  ]);
});

// Asserts contract/events.md#declaration.
test('repeated types, invalid schemas and ids of the platform are refused', () => {
  expect(problemsOf({ events: [confirmed, confirmed] })).toEqual([
    'Event c.visit-confirmed.v1: another event has this type',
  ]);
  expect(problemsOf({ events: [event('c.x.v1', { type: 'text' })] })).toEqual([
    expect.stringContaining('Event c.x.v1: its JSON Schema is not valid: '),
  ]);
  expect(problemsOf({ id: 'Data', events: [event('data.x.v1', {})] })).toEqual([
    expect.stringContaining('an application with the id Data has no events'),
  ]);
});

// Asserts contract/events.md#handlers.
test.each<[string, readonly ReturnType<typeof handler>[]]>([
  ['another handler has this name', [handler({}), handler({})]],
  ['its name must be lower-case letters', [handler({ name: 'A' })]],
  ['retries: it must be a whole number from 0 to 20', [handler({ retries: 21 })]],
  ['timeout: it must be 1 to 3600 whole seconds', [handler({ timeout: 0 })]],
  ['as: there is no role clerks; did you mean clerk?', [handler({ as: { resourceRoles: ['clerks'] } })]],
  ['there is no event c.visit-confirmed.v2; did you mean', [handler({}, event('c.visit-confirmed.v2', {}))]],
  [
    'became: CONFRMED is no value of c_Visit.status',
    [handler({}, { entity: 'c_Visit', became: { status: 'CONFRMED' } })],
  ],
  ['became: true is no value of c_Visit.status', [handler({}, { entity: 'c_Visit', became: { status: true } })]],
  ['became: c_Visit.text is neither a boolean nor', [handler({}, { entity: 'c_Visit', became: { text: 'a' } })]],
  ['became: c_Visit has no attribute statu; did you', [handler({}, { entity: 'c_Visit', became: { statu: 'NEW' } })]],
  ['there is no entity c_Visits; did you mean c_Visit?', [handler({}, { entity: 'c_Visits' })]],
])('a handler is refused: %s', (problem, eventHandlers) => {
  expect(problemsOf({ eventHandlers })).toEqual([expect.stringContaining(problem)]);
});

const foreign = (type = 'sales.placed.v2', options: object = {}) => event(type, {}, { source: '/sales', ...options });

// Asserts contract/events.md#other-applications.
test('a handler of an event of another application is valid, with upcasts of its earlier versions', () => {
  const on = foreign('sales.placed.v2', { upcasts: { 'sales.placed.v1': (data: object) => data } });
  expect(problemsOf({ eventHandlers: [handler({}, on)] })).toEqual([]);
});

// Asserts contract/events.md#other-applications.
test.each([
  ['c.placed.v1 is no event of another application', foreign('c.placed.v1')],
  ['data.placed.v1 is no event of another application', foreign('data.placed.v1')],
  ['sales.placed is not <application>.<fact>.v<number>', foreign('sales.placed')],
  ['has an empty source', foreign(undefined, { source: '' })],
  ['its JSON Schema is not valid', event('sales.x.v1', { type: 'text' }, { source: '/sales' })],
])('an event of a handler is refused: %s', (problem, on) => {
  expect(problemsOf({ eventHandlers: [handler({}, on)] })).toEqual([expect.stringContaining(problem)]);
});

// Asserts contract/events.md#versions.
test.each([['sales.placed.v2'], ['sales.placed.v3'], ['sales.other.v1'], ['sales.placed.v0'], ['constructor']])(
  'an upcast of %s is refused',
  (earlier) => {
    const on = foreign('sales.placed.v2', { upcasts: { [earlier]: (data: object) => data } });
    expect(problemsOf({ eventHandlers: [handler({}, on)] })).toEqual([
      `Event handler a: upcasts: ${earlier} is no earlier version of it`,
    ]);
  },
);

// Asserts contract/events.md#declaration.
test('an application does not publish events of others', () => {
  expect(problemsOf({ events: [confirmed, foreign()] })).toEqual([
    'Event sales.placed.v2: events of other applications are only handled',
  ]);
});
