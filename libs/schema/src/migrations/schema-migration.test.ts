import { assertMigrationNames, checksumOf, isMigrationName, nameOfRecord, recordedName } from './schema-migration.ts';

test('names lead to the form of the table and back', () => {
  const name = '1795238450073-add-delivery-window';
  expect(recordedName(name)).toBe('add-delivery-window-1795238450073');
  expect(nameOfRecord(recordedName(name))).toBe(name);
});

test.each(['initial', '123-initial', '1795238450073', '1795238450073-', '1795238450073-a b'])(
  '%j is no name',
  (name) => {
    expect(isMigrationName(name)).toBe(false);
    expect(() => assertMigrationNames([{ name, up: [], down: [] }])).toThrow(name);
  },
);

test('two migrations of one name are refused', () => {
  const migration = { name: '1795238450073-a', up: [], down: [] };
  expect(() => assertMigrationNames([migration, { ...migration }])).toThrow('two migrations 1795238450073-a');
});

test('the checksum is about what the statements say, not about how they are laid out', () => {
  const name = '1795238450073-a';
  const one = checksumOf({ name, up: ['CREATE TABLE a (\n  id int\n)', 'SELECT 1'], down: [] });
  expect(checksumOf({ name, up: ['CREATE TABLE a ( id int )', ' SELECT 1 '], down: ['DROP TABLE a'] })).toBe(one);
  expect(checksumOf({ name, up: ['CREATE TABLE a ( id int )', 'SELECT 2'], down: [] })).not.toBe(one);
});
