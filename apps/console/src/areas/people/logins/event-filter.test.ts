import { eventParameters, filterOf } from './event-filter.ts';
import { EVENT_GROUPS } from './event-types.ts';

test('the address has names, also of digits alone, which are read as numbers; anything else is left out', () => {
  const search = { user: 42, client: 'shop', role: null, kind: ['logins'], from: { a: 1 }, to: true, tab: 'x' };
  expect(filterOf(search)).toEqual({ user: '42', client: 'shop' });
  expect(filterOf({})).toEqual({});
});

test('a group of events is all of its types, and another kind is a type', () => {
  expect(eventParameters({ kind: 'clients' })).toEqual({ type: EVENT_GROUPS.clients.join(',') });
  expect(eventParameters({ kind: 'login.failed' })).toEqual({ type: 'login.failed' });
  expect(eventParameters({ kind: 'constructor' })).toEqual({ type: 'constructor' });
});

test('local times are sent as moments, and incomplete ones are left out', () => {
  const local = '2026-03-01T12:30';
  expect(eventParameters({ user: 'zoë', from: local, to: 'tomorrow' })).toEqual({
    username: 'zoë',
    from: new Date(2026, 2, 1, 12, 30).toISOString(),
  });
});

test('a filter without input has no parameters', () => {
  expect(eventParameters({ user: '', client: undefined, role: '', from: '', to: undefined })).toEqual({});
});
