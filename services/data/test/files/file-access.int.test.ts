import { defineApplication, mail, restMethod, service, t } from '@lintel/application';
import { listen, type RunningServer } from '@lintel/http';
import { elements, embeddable, embedded, fileRef, json, standardEntity, string, text } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  predicatePolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import type { StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import { type DataFixture, startData } from '../data-fixture.ts';

const ENTITIES = ['f_Case', 'f_Expert', 'f_Memo'];
const application = defineApplication({
  id: 'f',
  name: 'Files',
  entities: [
    embeddable('f_Scan', { attributes: { page: fileRef(), note: string(20) } }),
    standardEntity('f_Case', {
      inheritance: { strategy: 'joined' },
      attributes: {
        region: string(2),
        document: fileRef(),
        photos: elements(fileRef()),
        scan: embedded('f_Scan'),
        text: text(),
        data: json(),
        draft: fileRef().transient(),
      },
    }),
    standardEntity('f_Expert', { extends: 'f_Case', attributes: { opinion: fileRef() } }),
    standardEntity('f_Memo', { attributes: { file: fileRef(), region: string(2) } }),
  ],
  roles: [
    resourceRole('all', {
      name: 'All',
      policies: [...ENTITIES, 'f_Scan'].flatMap((name) => [entityPolicy(name, 'read'), viewAttributes(name, '*')]),
    }),
    resourceRole('writer', {
      name: 'Writer',
      policies: [
        specificPolicy('rest.enabled'),
        ...[...ENTITIES, 'f_Scan'].flatMap((name) => [entityPolicy(name, 'all'), modifyAttributes(name, '*')]),
      ],
    }),
    resourceRole('names', {
      name: 'Without files',
      policies: [entityPolicy('f_Case', 'read'), viewAttributes('f_Case', 'region')],
    }),
  ],
  mails: [mail('case', { templates: { en: { subject: 'Case', text: 'See the attachment.' } } })],
  services: [
    service('f_Mails', {
      send: restMethod({ params: { fileRef: t.string }, methods: ['POST'] }, ({ fileRef }, { data }) =>
        data.mails.send('case', { to: 'ada@example.com', attachments: [{ name: 'a.pdf', fileRef }] }),
      ),
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('north', { name: 'North', policies: [queryPolicy('f_Case', "{E}.region = 'N'")] }),
    rowLevelRole('south', {
      name: 'South',
      policies: [
        predicatePolicy('f_Memo', {
          actions: ['read'],
          dependsOn: ['region'],
          test: ({ region }) => region === 'S',
        }),
      ],
    }),
  ],
});

/** Files that exist, with the user who has uploaded them within a day. */
const stored = new Map<string, string>();
const storedFiles: StoredFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  read: async () => undefined,
  list: async () => ({ files: [], next: null }),
  describe: async (fileRefs, reader) =>
    fileRefs.flatMap((fileRef) => {
      const [path = ''] = fileRef.slice('fs://'.length).split('?');
      const owner = stored.get(path);
      const file = { storage: 'fs', path, size: 1, lastModified: '2026-11-28T10:00:00Z' };
      return owner === undefined ? [] : [{ ...file, isOfReader: owner === reader?.username }];
    }),
  remove: async () => undefined,
};
const store = (name: string, owner = '') => stored.set(key(name).slice('fs://'.length), owner);

let data: DataFixture;
let internal: RunningServer;
beforeAll(async () => {
  const users = {
    all: { resourceRoles: ['all'] },
    full: { resourceRoles: ['system-full-access'] },
    names: { resourceRoles: ['names'] },
    none: { resourceRoles: [] },
    north: { resourceRoles: ['all'], rowLevelRoles: ['north'] },
    south: { resourceRoles: ['all'], rowLevelRoles: ['south'] },
    anonymous: { resourceRoles: ['all'], kind: 'anonymous' },
    writer: { resourceRoles: ['writer'], rowLevelRoles: ['north'] },
  } satisfies Parameters<typeof startData>[1];
  data = await startData(application, users, { 'svc.files.access': 'references' }, undefined, { storedFiles });
  internal = await listen(data.service.internalApp, { host: '127.0.0.1', port: 0 });
  const create = async (entity: string, body: object) => {
    const response = await data.send('full', 'POST', `/entities/${entity}`, body);
    expect(response.status).toBe(201);
    return response.json().id as string;
  };
  await create('f_Case', { region: 'N', document: ref('north.pdf'), text: ref('text.pdf'), data: ref('json.pdf') });
  await create('f_Case', { region: 'S', document: ref('south.pdf'), photos: [ref('1.jpg'), ref('2.jpg')] });
  await create('f_Case', { region: 'N', scan: { page: ref('page.png'), note: 'x' } });
  await create('f_Expert', { region: 'S', opinion: ref('opinion.pdf'), document: ref('expert.pdf') });
  await create('f_Memo', { region: 'S', file: ref('memo-south.txt') });
  await create('f_Memo', { region: 'N', file: ref('memo-north.txt') });
  const gone = await create('f_Case', { region: 'N', document: ref('gone.pdf') });
  await data.send('full', 'DELETE', `/entities/f_Case/${gone}`);
});
afterAll(async () => {
  await internal.close();
  await data.close();
});

const key = (name: string): string => `fs://2026/11/28/${name}`;
const ref = (name: string): string => `${key(name)}?name=${name}`;
const ask = async (user: string, body: object) => {
  const response = await fetch(`${internal.url}/internal/forwarded/file-access`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as { readonly isReadable?: boolean } };
};
const FILES = [
  ...['north.pdf', 'south.pdf', '1.jpg', '2.jpg', 'page.png', 'opinion.pdf', 'expert.pdf'],
  ...['memo-south.txt', 'memo-north.txt', 'gone.pdf', 'text.pdf', 'json.pdf', 'none.pdf', 'n%rth.pdf', 'nort'],
];
const readableBy = async (user: string): Promise<readonly string[]> => {
  const results = await Promise.all(FILES.map((name) => ask(user, { key: key(name) })));
  expect(results.map(({ status }) => status)).toEqual(FILES.map(() => 200));
  return FILES.filter((_name, at) => results[at]?.json.isReadable);
};
const REFERRED = FILES.slice(0, 9);

describe('a file is readable for callers who may read an instance and attribute that refers to it', () => {
  test('a key as long as a URL is looked for like any other', async () => {
    expect(await ask('full', { key: key('x'.repeat(16_000)) })).toEqual({ status: 200, json: { isReadable: false } });
  });

  // Asserts contract/decisions.md#89, contract/files.md#access.
  test.each([
    ['all', REFERRED],
    ['full', REFERRED],
    ['anonymous', REFERRED],
    ['names', []],
    ['none', []],
    // The opinion is an attribute of the expert, whose rows are restricted as those of its ancestor are.
    ['north', ['north.pdf', 'page.png', 'memo-south.txt', 'memo-north.txt']],
    ['south', REFERRED.filter((name) => name !== 'memo-north.txt')],
  ])('%s', async (user, files) => {
    expect(await readableBy(user)).toEqual(files);
  });

  // Asserts contract/files.md#access.
  test('one statement decides it', async () => {
    await ask('north', { key: key('south.pdf') });
    const before = data.statements.length;
    await ask('north', { key: key('south.pdf') });
    expect(data.statements.length - before).toBeLessThanOrEqual(1);
  });

  test('the index of each attribute serves the statement', async () => {
    const indexes = await data.query<{ indexname: string }>(
      "SELECT indexname FROM pg_indexes WHERE schemaname = 'f' AND indexname LIKE '%search' ORDER BY 1",
    );
    expect(indexes.map(({ indexname }) => indexname)).toEqual([
      'ix_case__document__search',
      'ix_case__scan_page__search',
      'ix_case_photos__value__search',
      'ix_expert__opinion__search',
      'ix_memo__file__search',
    ]);
  });

  test.each([
    [{}, 400],
    [{ key: 5 }, 400],
    [{ key: '' }, 400],
    [{ key: 'a', more: 1 }, 400],
    [{ key: 'fs://\u0000' }, 400],
  ])('the body %j is %d', async (body, status) => {
    expect((await ask('all', body)).status).toBe(status);
  });

  test('a caller without a valid token is refused', async () => {
    expect((await ask('nobody', { key: 'a' })).status).toBe(401);
  });
});

// Asserts contract/mail.md#attachments.
test('only files that the caller may read are attached to mails', async () => {
  for (const name of ['south.pdf', 'north.pdf', 'lost.pdf']) store(name);
  store('own.pdf', 'writer');
  const send = async (name: string) =>
    (await data.send('writer', 'POST', '/services/f_Mails/send', { fileRef: ref(name) })).status;
  expect(await Promise.all(['south.pdf', 'lost.pdf', 'north.pdf', 'own.pdf'].map(send))).toEqual([400, 400, 200, 200]);
  stored.clear();
});

describe('a write opens no file that its caller may not read', () => {
  const write = (entity: string, body: object, path = '', method = 'POST') =>
    data.send('writer', method, `/entities/${entity}${path}`, body);
  const refused = async (entity: string, body: object) => {
    const response = await write(entity, body);
    expect(response.status).toBe(400);
    return response.json().map(({ path, invalidValue }: Record<string, unknown>) => [path, invalidValue]);
  };
  beforeEach(() => {
    stored.clear();
    for (const name of ['south.pdf', 'north.pdf', 'lost.pdf']) store(name);
    store('own.pdf', 'writer');
  });

  // Asserts contract/files.md#access.
  test('files that others refer to, or that nobody refers to, are refused at their attributes', async () => {
    expect(await refused('f_Memo', { file: ref('south.pdf') })).toEqual([['file', ref('south.pdf')]]);
    expect(await refused('f_Memo', { file: ref('lost.pdf') })).toEqual([['file', ref('lost.pdf')]]);
    const body = { region: 'N', photos: [ref('own.pdf'), ref('south.pdf')], scan: { page: ref('lost.pdf') } };
    expect(await refused('f_Case', body)).toEqual(
      expect.arrayContaining([
        ['photos', ref('south.pdf')],
        ['scan.page', ref('lost.pdf')],
      ]),
    );
    expect((await ask('writer', { key: key('south.pdf') })).json).toEqual({ isReadable: false });
  });

  // Asserts contract/files.md#access.
  test('own uploads and files that the caller may read are accepted; a reference that stays is not checked', async () => {
    const memo = await write('f_Memo', { file: ref('own.pdf') });
    expect([memo.status, (await write('f_Memo', { file: ref('north.pdf') })).status]).toEqual([201, 201]);
    store('own.pdf', 'nobody');
    const path = `/${memo.json().id}`;
    await data.query('DELETE FROM f.memo WHERE file = $1 AND id <> $2', [ref('own.pdf'), memo.json().id]);
    expect((await write('f_Memo', { file: ref('own.pdf'), region: 'X' }, path, 'PUT')).status).toBe(200);
  });
});
