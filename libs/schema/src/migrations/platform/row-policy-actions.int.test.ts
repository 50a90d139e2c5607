import { createTestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';
import { ROW_POLICY_ACTIONS_MIGRATION } from './row-policy-actions.ts';

test('stored policies of the type query go on hiding what they hid; predicates keep their actions', async () => {
  const server = await createTestDatabase('persistence');
  try {
    await runMigrations({ url: server.url, migrations: [] });
    const role = crypto.randomUUID();
    await server.query(`INSERT INTO sec.row_level_role (id, version, name, code) VALUES ($1, 1, 'Rows', 'rows')`, [
      role,
    ]);
    for (const [type, action] of [
      ['query', 'create'],
      ['query', 'all'],
      ['predicate', 'update,delete'],
    ])
      await server.query(
        `INSERT INTO sec.row_level_policy (id, version, role_id, type, entity_name, action)
         VALUES (gen_random_uuid(), 1, $1, $2, 'x_Thing', $3)`,
        [role, type, action],
      );
    for (const text of ROW_POLICY_ACTIONS_MIGRATION.up) await server.query(text);
    expect(await server.query('SELECT type, action FROM sec.row_level_policy ORDER BY type, action')).toEqual([
      { type: 'predicate', action: 'update,delete' },
      { type: 'query', action: 'read' },
      { type: 'query', action: 'read' },
    ]);
  } finally {
    await server.drop();
  }
});
