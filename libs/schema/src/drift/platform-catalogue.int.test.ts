import { readFileSync } from 'node:fs';
import { createTestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { platformCatalogueSource } from '../../test/platform-catalogue-source.ts';
import { PLATFORM_MIGRATIONS } from '../migrations/platform/index.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { checksumOf } from '../migrations/schema-migration.ts';
import { readCatalogue } from './read-catalogue.ts';

test('the catalogue of the platform is what its migrations make (test/write-platform-catalogue.ts)', async () => {
  const server = await createTestDatabase('catalogue');
  const client = new Client({ connectionString: server.url });
  try {
    await runMigrations({ url: server.url, migrations: [] });
    await client.connect();
    const source = await platformCatalogueSource(client, readCatalogue);
    expect(readFileSync(new URL('platform-catalogue.ts', import.meta.url), 'utf8')).toBe(source);
  } finally {
    await client.end();
    await server.drop();
  }
});

test('migrations of the platform are added to, never changed: a database that ran them would refuse the others', () => {
  const checksums = PLATFORM_MIGRATIONS.map((migration) => `${migration.name} ${checksumOf(migration).slice(0, 12)}`);
  expect(checksums).toEqual([
    '1763683200000-platform-events c48a2b5ad7fb',
    '1763683200001-platform-security 979d251bff75',
    '1763683200002-platform-auth 655205d3cf26',
    '1763683200003-platform-dynamic-attributes eb5c2debb865',
    '1763683200004-platform-idempotency 40a35f49818a',
    '1763683200005-platform-roles ff6acb33ffbb',
    '1763683200007-platform-messages 0606399df96a',
    '1763683200008-platform-report-runs 17f260cfedfc',
    '1763683200009-platform-reports 56542496ce05',
    '1763683200010-platform-report-reader 1d54220fda03',
    '1763683200011-platform-event-positions 67cb7f3e3cf1',
    '1763683200012-platform-event-positions-index dd6a9255a91e',
    '1763683200013-platform-webhooks b413cdc5c4bd',
    '1763683200014-platform-row-policy-actions 491f50f86eeb',
    '1763683200015-platform-report-codes 36688ae3524f',
    '1763683200016-platform-no-inbox ba7f0ad4735f',
    '1763683200020-platform-federation c30d56b6da8e',
    '1763683200021-platform-login-history 8c004717fd21',
    '1763683200024-platform-clients d4301b318833',
    '1763683200025-platform-api-keys 2001fa3f0883',
    '1763683200027-platform-passwords a6688b7f995f',
    '1763683200028-platform-password-resets 7c868ff642d6',
    '1763683200029-platform-second-factors d3b33b664ee0',
    '1763683200032-platform-login-methods c20413cc462d',
    '1763683200033-platform-provisioning 2a426bc6a858',
    '1763683200034-platform-list-views 861ef9516bc9',
    '1763683200035-platform-security-events 895b47e29391',
    '1763683200036-platform-report-versions 63ff185aa083',
    '1763683200038-platform-report-version-previews 21d6bd50a867',
    '1763683200039-platform-names-of-users f6cd6a61da39',
    '1763683200042-platform-user-names abcbdb709b88',
    '1763683200043-platform-sent-values 0aa95e9452c0',
    '1763683200044-platform-security-event-actors ce4d2dc28fe4',
    '1763683200045-platform-file-searches 8446565f6fd0',
    '1763683200046-platform-security-event-sources 6b8fd80b05ce',
  ]);
});
