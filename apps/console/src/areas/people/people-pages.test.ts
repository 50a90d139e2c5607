import { createRights } from '@lintel/react';
import { peoplePages } from './people-pages.ts';

const rightsWith = (specifics: readonly string[], entities: readonly string[] = []) => ({
  rights: createRights({
    authorities: [],
    entities: entities.map((target) => ({ target, value: 1 as const })),
    entityAttributes: [],
    specifics: specifics.map((target) => ({ target, value: 1 as const })),
  }),
});

test('without a right there is no page', () => {
  expect(peoplePages(rightsWith([]))).toEqual([]);
});

test('each right adds its page', () => {
  expect(peoplePages(rightsWith([], ['sec_User:read']))).toEqual(['users']);
  expect(peoplePages(rightsWith(['rights.view', 'clients.manage']))).toEqual(['roles', 'clients']);
  expect(peoplePages(rightsWith(['rights.preview']))).toEqual(['explain']);
  expect(peoplePages(rightsWith(['security-events.view']))).toEqual(['logins']);
  expect(peoplePages(rightsWith(['identity-providers.view']))).toEqual(['providers']);
});
