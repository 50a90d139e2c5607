import { type Application, defineApplication, loadResources, restMethod, service } from '@lintel/application';
import { compositionOfMany, manyToMany, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const ID = '10000000-0000-4000-8000-000000000001';
const OTHER = '10000000-0000-4000-8000-000000000002';

const library = (isReadOnly: boolean): Application =>
  defineApplication({
    id: 'l',
    name: 'Library',
    entities: [
      standardEntity('l_Author', {
        attributes: {
          name: string(50),
          books: toMany('l_Book', 'author'),
          prizes: compositionOfMany('l_Prize', 'author'),
        },
      }),
      standardEntity('l_Book', {
        readOnly: isReadOnly,
        attributes: { title: string(50), author: toOne('l_Author'), tags: manyToMany('l_Tag') },
      }),
      standardEntity('l_Prize', {
        readOnly: isReadOnly,
        attributes: { author: toOne('l_Author').mandatory(), name: string(50) },
      }),
      standardEntity('l_Tag', { attributes: { name: string(50) } }),
    ],
    services: [
      service('l_Books', {
        rename: restMethod({ methods: ['POST'] }, (_, { data }) =>
          data.unconstrained().update('l_Book', ID, { title: 'renamed' }),
        ),
      }),
    ],
  });

const ADMIN = { admin: { resourceRoles: ['system-full-access'] }, nobody: { resourceRoles: ['rest-minimal'] } };
const ROWS = `
  INSERT INTO l.author (id, version, name) VALUES ('${ID}', 1, 'Ada');
  INSERT INTO l.book (id, version, title, author_id) VALUES ('${ID}', 1, 'First', '${ID}');
  INSERT INTO l.prize (id, version, name, author_id) VALUES ('${ID}', 1, 'Gold', '${ID}')`;

describe('an entity that is read-only', () => {
  let data: DataFixture;
  beforeAll(async () => {
    data = await startData(library(true), ADMIN);
    await data.query(ROWS);
  });
  afterAll(() => data.close());

  test.each([
    ['POST', '/entities/l_Book', { title: 'x' }],
    ['POST', '/entities/l_Book', [{ title: 'x' }]],
    ['PUT', `/entities/l_Book/${ID}`, { title: 'x' }],
    ['PUT', '/entities/l_Book', [{ id: ID, title: 'x' }]],
    ['DELETE', `/entities/l_Book/${ID}`, undefined],
    ['DELETE', '/entities/l_Book', [ID]],
  ])('%s %s returns 405 with Allow, whatever the rights of the caller', async (method, path, body) => {
    for (const user of ['admin', 'nobody']) {
      const response = await data.send(user, method, path, body);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(response.json()).toEqual({ error: 'Method not allowed', details: 'l_Book is read-only' });
    }
  });

  test.each([
    ['a child of a composition that is added', { prizes: [{ id: ID }, { name: 'x' }] }],
    ['a child that is changed', { prizes: [{ id: ID, name: 'x' }] }],
    ['a child that is removed', { prizes: [] }],
    ['a member of a 1:N association', { books: [] }],
  ])('%s is refused with its owner, and nothing changes', async (_, body) => {
    const response = await data.send('admin', 'PUT', `/entities/l_Author/${ID}`, body);
    expect([response.status, response.json().details]).toEqual([
      405,
      expect.stringMatching(/^l_(Prize|Book) is read-only$/),
    ]);
    expect(await data.query('SELECT name FROM l.prize')).toEqual([{ name: 'Gold' }]);
    expect(await data.query('SELECT author_id AS author FROM l.book')).toEqual([{ author: ID }]);
  });

  test('an owner of which only other attributes change can be written', async () => {
    const response = await data.send('admin', 'PUT', `/entities/l_Author/${ID}`, {
      name: 'Ada L.',
      prizes: [{ id: ID }],
    });
    expect(response.status).toBe(200);
    expect((await data.send('admin', 'POST', '/entities/l_Author', { id: OTHER, name: 'Ben' })).status).toBe(201);
  });

  test('application code cannot write it either', async () => {
    const response = await data.send('admin', 'POST', '/services/l_Books/rename', {});
    expect(response.status).toBe(405);
    expect(await data.query('SELECT title FROM l.book')).toEqual([{ title: 'First' }]);
  });

  test('its attributes are read-only in the metadata, and it can be read', async () => {
    const { properties } = (await data.send('admin', 'GET', '/metadata/entities/l_Book')).json();
    expect(properties.every(({ readOnly }: { readOnly: boolean }) => readOnly)).toBe(true);
    expect((await data.send('admin', 'GET', `/entities/l_Book/${ID}`)).json().title).toBe('First');
    expect((await data.send('admin', 'POST', '/entities/l_Book/search', { filter: { conditions: [] } })).status).toBe(
      200,
    );
  });

  test('the API document has no operation that writes it', async () => {
    const { paths } = (await data.send('admin', 'GET', '/docs/openapiDetailed.json')).json();
    expect(Object.keys(paths['/rest/entities/l_Book'])).toEqual(['get']);
    expect(Object.keys(paths['/rest/entities/l_Book/{entityId}'])).toEqual(['get']);
    expect(Object.keys(paths['/rest/entities/l_Tag'])).toEqual(
      expect.arrayContaining(['get', 'post', 'put', 'delete']),
    );
  });
});

test('svc.data.read-only makes every entity of the application read-only, and no other', async () => {
  const resources = { readResource: async () => '', findResource: async () => undefined };
  const names = {
    fetchPlansConfig: [],
    servicesConfig: [],
    availableLocales: ['en'],
    queriesConfig: [],
    jsonTransformationConfig: [],
  };
  const { model } = await loadResources(library(false), { ...names, readOnly: true, demoEnabled: false }, resources);
  const readOnly = [...model.entities.values()].filter((entity) => entity.readOnly).map(({ name }) => name);
  expect(readOnly.sort()).toEqual(['l_Author', 'l_Book', 'l_Prize', 'l_Tag']);
});
