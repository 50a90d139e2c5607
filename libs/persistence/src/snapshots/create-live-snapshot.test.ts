import { declareCache } from '@lintel/cache';
import type { StatementRunner } from '../database.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import { createLiveSnapshot } from './create-live-snapshot.ts';

const ROLES = declareCache({
  name: 'test-snapshot-of-roles',
  holds: 'a text',
  where: ['data'],
  keyedBy: 'nothing',
  maxEntries: 1,
  invalidatedBy: [],
  staleness: 'max-staleness',
  ownWrites: 'later',
  whileAway: '',
});

test('a view that the data service has not created yet is waited for, and named in the log', async () => {
  const missing = Object.assign(new Error('relation "sec.role_snapshot" does not exist'), { code: '42P01' });
  const results = [
    () => Promise.reject(translateDatabaseError(missing)),
    async () => [{ version: '1', body: '"one"' }],
  ];
  const lines: object[] = [];
  const live = await createLiveSnapshot(ROLES, 'sec.role_snapshot', {
    database: { query: () => results.shift()?.() } as unknown as StatementRunner,
    read: ({ body }) => body,
    maxStalenessMs: 60_000,
    logger: { warn: (fields: object) => void lines.push(fields) },
  });
  expect(live.current()).toBe('one');
  expect(lines).toEqual([
    {
      name: 'test-snapshot-of-roles',
      reason: expect.stringMatching(/^The view sec\.role_snapshot is missing: start the data service/),
    },
  ]);
  live.close();
});
