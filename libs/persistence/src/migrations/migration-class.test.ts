import { fromTypeOrmName, isMigrationName, toMigrationClass, typeOrmName } from './migration-class.ts';

test('names lead to the form of TypeORM and back', () => {
  const name = '1795238450073-add-delivery-window';
  expect(typeOrmName(name)).toBe('add-delivery-window-1795238450073');
  expect(fromTypeOrmName(typeOrmName(name))).toBe(name);
});

test.each(['initial', '123-initial', '1795238450073', '1795238450073-', '1795238450073-a b'])(
  '%j is no name',
  (name) => {
    expect(isMigrationName(name)).toBe(false);
    expect(() => toMigrationClass({ name, up: [], down: [] })).toThrow(name);
  },
);
