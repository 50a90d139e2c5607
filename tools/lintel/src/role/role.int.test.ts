import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

// Needs a database: createTestDatabase.

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_roles',
  );
  const roles = ['--role', 'rest-minimal', '--role', 'sales-clerk', '--row-level-role', 'own-region'];
  await lintel(['user', 'add', 'clerk', ...roles], 'a password');
});
afterAll(() => testDatabase.drop());

async function lintel(parameters: readonly string[], input = '') {
  const terminal = fakeTerminal({ input });
  const code = await run(
    [...parameters, '--application', '@lintel/example-sales', '--url', testDatabase.url],
    terminal,
  );
  return { code, output: terminal.output(), notes: terminal.notes() };
}

test('roles are listed with the number of their users', async () => {
  const { code, output } = await lintel(['role', 'list', '--json']);
  expect(code).toBe(0);
  const { roles, problems } = JSON.parse(output);
  expect(problems).toEqual([]);
  expect(roles).toContainEqual({
    code: 'rest-minimal',
    type: 'resource',
    name: 'REST: minimal access',
    origin: 'platform',
    scopes: ['API'],
    users: 1,
  });
  expect(roles).toContainEqual(expect.objectContaining({ code: 'own-region', type: 'row-level', users: 1 }));
  expect((await lintel(['role', 'list'])).output).toMatch(/^Role +Type +Name +Defined by +Scopes +Users\n/);
});

test('the policies of a role are shown in words', async () => {
  const { output } = await lintel(['role', 'show', 'rest-minimal']);
  expect(output).toBe(
    'rest-minimal (REST: minimal access), a resource role of the platform\n  the specific permission rest.enabled',
  );
  expect((await lintel(['role', 'show', 'own-region'])).output).toContain('sales_Customer: only rows where ');
});

test('a right is explained, and so is a missing one; the exit code says which it is', async () => {
  const granted = await lintel(['role', 'explain', 'clerk', 'rest.enabled']);
  expect(granted).toEqual({
    code: 0,
    notes: '',
    output: [
      'clerk has the roles rest-minimal, sales-clerk, own-region.',
      '✓ clerk may use the specific permission rest.enabled',
      '    rest-minimal grants the specific permission rest.enabled',
    ].join('\n'),
  });
  const hidden = await lintel(['role', 'explain', 'clerk', 'sales_Customer.creditLimit', 'view']);
  expect(hidden.code).toBe(1);
  expect(hidden.output).toContain('✓ clerk may read sales_Customer\n');
  expect(hidden.output).toContain('✗ clerk may not view sales_Customer.creditLimit\n    roles that grant it: ');
  expect(hidden.output).toContain('Row-level roles limit this:\n  own-region: ');
});

test.each([
  [['explain', 'nobody', 'rest.enabled'], 'There is no user nobody'],
  [['explain', 'clerk', 'sales_Ordr'], 'There is no entity sales_Ordr'],
  [['explain', 'clerk', 'sales_Order.numbr'], 'sales_Order has no attribute numbr. It has '],
  [['explain', 'clerk', 'sales_Order.customer.name'], 'is a path over several entities'],
  [['explain', 'clerk', 'sales_Order', 'view'], 'There is no action view on sales_Order. There are create, '],
  [['explain', 'clerk', 'rest.enabled', 'read'], 'A specific permission has no actions'],
  [['show', 'sales-clrk'], 'There is no role sales-clrk. There are '],
])('%j is refused in one sentence', async (parameters, sentence) => {
  const { code, output, notes } = await lintel(['role', ...parameters]);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(notes).toContain(sentence);
});
