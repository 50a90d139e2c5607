import { EVENT_GROUPS, isAlarming, typesOf } from './event-types.ts';

test('each type is in one group', () => {
  const types = Object.values(EVENT_GROUPS).flat();
  expect(new Set(types).size).toBe(types.length);
});

test('a choice is a group, one type, or none', () => {
  expect(typesOf('clients')).toEqual(EVENT_GROUPS.clients);
  expect(typesOf('login.failed')).toEqual(['login.failed']);
  expect(typesOf(undefined)).toBeUndefined();
});

test('refusals are alarming, changes are not', () => {
  const alarming = ['login.failed', 'client.blocked', 'device-code.reused', 'federation.refused', 'api-key.unknown'];
  expect([...alarming, 'login.succeeded', 'user.changed'].filter(isAlarming)).toEqual(alarming);
});
