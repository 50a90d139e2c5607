import type { Application } from '@lintel/application';
import { assertUpToDate } from './assert-up-to-date.ts';

test('a database that cannot be reached is named with the reason and the setting', async () => {
  // Nothing listens on the port: it is reserved.
  const url = 'postgres://lintel:secret@127.0.0.1:1/lintel';
  await expect(assertUpToDate({} as Application, url)).rejects.toThrow(
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Start PostgreSQL, or correct SVC_DATASOURCE_URL.',
  );
});
