import { defineApplication, entityListener, restMethod, service, t } from '@lintel/application';
import { softDeletedEntity, string } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';
import { databaseChecksum } from './database-checksum.ts';

const heard: unknown[] = [];
const application = defineApplication({
  id: 'r',
  name: 'Rehearsed routes',
  entities: [
    softDeletedEntity('r_Note', { attributes: { code: string(20).unique(), text: string(50) }, history: true }),
  ],
  listeners: [
    entityListener({
      entity: 'r_Note',
      beforeSave: async (_change, { isDryRun }) => void heard.push(isDryRun),
      beforeDelete: async (_change, { isDryRun }) => void heard.push(isDryRun),
      afterCommit: async () => void heard.push('committed'),
    }),
  ],
  services: [
    service('r_Work', {
      create: restMethod(
        { methods: ['POST'], params: { code: t.string }, transactional: true, rehearsable: true },
        async ({ code }, { data, isDryRun }) => {
          heard.push(isDryRun);
          await data.create('r_Note', { code, text: 'method' });
        },
      ),
    }),
  ],
});

let data: DataFixture;
let stored: { readonly note: string; readonly binned: string; readonly change: string };
beforeAll(async () => {
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
  const create = async (code: string): Promise<string> =>
    (await data.send('admin', 'POST', '/entities/r_Note', { code, text: 'first' })).json().id;
  const [note, binned] = [await create('note'), await create('binned')];
  await data.send('admin', 'DELETE', `/entities/r_Note/${binned}`);
  await data.send('admin', 'PUT', `/entities/r_Note/${note}`, { text: 'second' });
  const [{ change }] = (await data.send('admin', 'GET', `/history/r_Note/${note}`)).json();
  stored = { note, binned, change };
});
afterAll(() => data.close());

const MERGE = { 'content-type': 'application/merge-patch+json' };
const ONE = { prefer: 'max-affected=1' };
const FILTER = encodeURIComponent('{"conditions":[{"property":"code","operator":"=","value":"note"}]}');

// Asserts contract/writing.md#rehearsal.
test.each<[string, () => readonly [string, string, unknown?, Record<string, string>?]]>([
  ['a creation', () => ['POST', '/entities/r_Note', { code: 'new' }]],
  ['creations', () => ['POST', '/entities/r_Note', [{ code: 'n1' }, { code: 'n2' }]]],
  ['an update', () => ['PUT', `/entities/r_Note/${stored.note}`, { text: 'x' }]],
  ['updates', () => ['PUT', '/entities/r_Note', [{ id: stored.note, text: 'x' }]]],
  ['a patch', () => ['PATCH', `/entities/r_Note/${stored.note}`, { text: 'x' }, MERGE]],
  ['a deletion', () => ['DELETE', `/entities/r_Note/${stored.note}`]],
  ['deletions', () => ['DELETE', '/entities/r_Note', [stored.note]]],
  ['an upsert', () => ['PUT', '/entities/r_Note?key=code', { code: 'note', text: 'x' }]],
  [
    'a merged duplicate',
    () => ['POST', '/entities/r_Note?key=code', { code: 'note', text: 'x' }, { prefer: 'resolution=merge-duplicates' }],
  ],
  ['a patch by a filter', () => ['PATCH', `/entities/r_Note?filter=${FILTER}`, { text: 'x' }, { ...MERGE, ...ONE }]],
  ['a deletion by a filter', () => ['DELETE', `/entities/r_Note?filter=${FILTER}`, '', ONE]],
  ['a restoration of the bin', () => ['POST', `/entities/r_Note/${stored.binned}/restore`]],
  ['a purge', () => ['DELETE', `/entities/r_Note/${stored.binned}?deleted=only`]],
  [
    'a former state',
    () => ['POST', `/history/r_Note/${stored.note}/restore`, { time: '2999-01-01T00:00:00Z', attributes: ['text'] }],
  ],
  ['an undo', () => ['POST', `/history/changes/${stored.change}/undo`]],
  [
    'an import',
    () => ['POST', '/imports/r_Note?key=code', 'code,text\nnote,x\nnew,y\n', { 'content-type': 'text/csv' }],
  ],
  ['a service method', () => ['POST', '/services/r_Work/create', { code: 'method' }]],
])('a rehearsal of %s names the preference, and changes no row of the database', async (what, request) => {
  const [method, path, body, headers = {}] = request();
  const checksum = () => databaseChecksum({ query: ({ text }) => data.query(text) as never });
  const before = await checksum();
  heard.length = 0;
  const prefer = [headers['prefer'], 'tx=rollback'].filter(Boolean).join(', ');
  const response = await data.send('admin', method, path, body, {
    ...headers,
    prefer,
    ...(what === 'an import' ? {} : { 'idempotency-key': what.replaceAll(' ', '-') }),
  });
  const applied = response.headers.get('preference-applied');
  expect([response.text, response.status < 300, applied]).toEqual([
    ...[expect.anything(), true, expect.stringContaining('tx=rollback')],
  ]);
  expect(await checksum()).toEqual(before);
  expect(heard.filter((one) => one !== true)).toEqual([]);
});
