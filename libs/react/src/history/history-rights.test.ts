import { createRights } from '../model/rights.ts';
import { mayUse, rootName } from './history-rights.ts';

const entities = new Map(
  [
    { entityName: 'app_Person', ancestor: null },
    { entityName: 'app_Clerk', ancestor: 'app_Person' },
  ].map((entity) => [entity.entityName, entity]),
) as unknown as Parameters<typeof mayUse>[0]['entities'];

test('a history and a bin belong to the root of the entity, of which the user has the permission', () => {
  const rights = createRights({
    authorities: [],
    entities: [{ target: 'app_Clerk:read', value: 1 }],
    entityAttributes: [],
    specifics: [{ target: 'history.read.app_Person', value: 1 }],
  });
  expect(rootName({ entities }, 'app_Clerk')).toBe('app_Person');
  const model = { entities, rights };
  expect(mayUse(model, 'history.read', 'app_Clerk')).toBe(true);
  expect(mayUse(model, 'history.read', 'app_Person')).toBe(false);
  expect(mayUse(model, 'bin.read', 'app_Clerk')).toBe(false);
});
