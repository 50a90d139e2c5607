import { type Client, createClient, requestToken } from '@lintel/client';
import { createAuthProvider, createDataProvider, idsOf, referencesOf } from '@lintel/data-providers/react-admin';
import {
  createAccessControlProvider,
  createLiveProvider,
  createDataProvider as createRefineProvider,
} from '@lintel/data-providers/refine';
import { type Blog, startBlog } from './start-blog.ts';

/** Every method of the data providers, with a blog that runs. */
const RESOURCES = {
  posts: { entity: 'blog_Post', searched: ['title', 'teaser'] },
  comments: 'blog_Comment',
  tags: 'blog_Tag',
  users: 'blog_User',
};
const FIRST = 'd0000000-0000-4000-8000-000000000001';
const AUTHOR = 'a0000000-0000-4000-8000-000000000001';
const TAG = 'b0000000-0000-4000-8000-000000000001';
const PAGE = { pagination: { page: 1, perPage: 5 }, sort: { field: 'title', order: 'ASC' as const }, filter: {} };

let blog: Blog;
let client: Client;
let reader: Client;
beforeAll(async () => {
  blog = await startBlog(['http://localhost:5173']);
  const clientOf = async (username: string): Promise<Client> => {
    const login = { clientId: 'admin', clientSecret: 'secret', username, password: username };
    const token = await requestToken(blog.url, login);
    return createClient({ baseUrl: blog.url, token: () => token });
  };
  client = await clientOf('editor');
  reader = await clientOf('reader');
}, 300_000);
afterAll(() => blog?.stop());

describe('react-admin', () => {
  const provider = () => createDataProvider({ client, resources: RESOURCES });
  const titles = (data: readonly { readonly title: string }[]): readonly string[] => data.map(({ title }) => title);

  test('getList sorts, pages, counts and filters', async () => {
    const first = await provider().getList('posts', PAGE);
    expect([first.total, titles(first.data)]).toEqual([13, ['Post 01', 'Post 02', 'Post 03', 'Post 04', 'Post 05']]);
    const last = await provider().getList('posts', {
      ...PAGE,
      pagination: { page: 3, perPage: 5 },
      sort: { field: 'views', order: 'DESC' },
    });
    expect(titles(last.data)).toEqual(['Post 03', 'Post 02', 'Post 01']);
    const filtered = async (filter: object) => titles((await provider().getList('posts', { ...PAGE, filter })).data);
    expect(await filtered({ q: 'harbour' })).toEqual(['Post 01']);
    expect(await filtered({ title: 'Post 07' })).toEqual(['Post 07']);
    expect(await filtered({ views_gte: 120 })).toEqual(['Post 12', 'Post 13']);
    expect(await filtered({ author: { id: AUTHOR }, views_lt: 40 })).toEqual(['Post 01', 'Post 03']);
    expect(await filtered({ 'author.name_q': 'breanna', views: [20, 40, 50] })).toEqual(['Post 02', 'Post 04']);
    expect(await filtered({ body_neq: null })).toEqual([]);
  });

  test('aggregate groups records; the words of a search reach the service', async () => {
    const asked = { groupBy: ['author'], aggregates: { n: { count: '*' } }, sort: '-n', limit: 1 } as const;
    const refine = createRefineProvider({ client, resources: RESOURCES });
    const groups = await provider().aggregate('posts', asked);
    expect(groups.data).toEqual([{ author: expect.any(String), n: expect.any(Number) }]);
    expect(await refine.aggregate({ resource: 'posts', ...asked })).toEqual(groups);
    const list = provider().getList('posts', { ...PAGE, meta: { q: 'harbour' } });
    await expect(list).rejects.toMatchObject({ status: 400, message: expect.stringContaining('searchable') });
    const page = refine.getList({ resource: 'posts', meta: { q: 'harbour' } });
    await expect(page).rejects.toMatchObject({ statusCode: 400 });
  });

  test('getList without a count knows whether there is another page', async () => {
    const counted = createDataProvider({ client, resources: RESOURCES, counts: false });
    const { data, total, pageInfo } = await counted.getList('posts', { ...PAGE, pagination: { page: 2, perPage: 10 } });
    expect([data.length, total, pageInfo]).toEqual([3, undefined, { hasNextPage: false, hasPreviousPage: true }]);
  });

  test('getOne has references, collections and children; a missing record returns 404', async () => {
    const { data } = await provider().getOne('posts', { id: FIRST });
    expect(data).toMatchObject({
      title: 'Post 01',
      author: { id: AUTHOR, _instanceName: 'Logan Schowalter' },
      tags: [{ id: TAG }],
      backlinks: [{ url: 'https://one.example' }],
    });
    const missing = provider().getOne('posts', { id: FIRST.replace('d0', 'd9') });
    await expect(missing).rejects.toMatchObject({ status: 404 });
  });

  test('getMany and getManyReference', async () => {
    const many = await provider().getMany('tags', { ids: [TAG] });
    expect(many.data.map(({ name }) => name)).toEqual(['news']);
    expect((await provider().getMany('tags', { ids: [] })).data).toEqual([]);
    const comments = await provider().getManyReference('comments', {
      ...PAGE,
      target: 'post.id',
      id: FIRST,
      sort: { field: 'author', order: 'ASC' },
      pagination: { page: 1, perPage: 2 },
    });
    expect([comments.total, comments.data.map(({ author }) => author)]).toEqual([3, ['Reader 1', 'Reader 2']]);
  });

  test('create, update with a conflict, delete', async () => {
    const data = { title: 'New', author: { id: AUTHOR }, tags: referencesOf([TAG]), backlinks: [{ url: 'https://x' }] };
    const { data: created } = await provider().create('posts', { data });
    expect(created).toMatchObject({ title: 'New', version: 1, backlinks: [{ url: 'https://x' }] });
    expect(idsOf(created.tags)).toEqual([TAG]);

    const change = (values: object, previousData: object = created) =>
      provider().update('posts', { id: created.id, data: { ...created, ...values }, previousData });
    const { data: updated } = await change({ title: 'Newer', backlinks: [...created.backlinks, { url: 'https://y' }] });
    expect(updated.title).toBe('Newer');
    expect(updated.backlinks.map(({ url }: { url: string }) => url).sort()).toEqual(['https://x', 'https://y']);
    await expect(change({ title: 'Stale' })).rejects.toMatchObject({
      status: 412,
      body: { code: 'REQ_PRECONDITION_FAILED' },
    });
    // Without a change nothing is written.
    const unchanged = await provider().update('posts', { id: created.id, data: updated, previousData: updated });
    expect(unchanged.data).toMatchObject({ title: 'Newer', version: updated.version });

    const remove = (previousData: object) =>
      provider().delete('posts', { id: created.id, previousData: previousData as never });
    await expect(remove(created)).rejects.toMatchObject({ status: 412 });
    expect((await remove(updated)).data).toMatchObject({ id: created.id });
    await expect(provider().getOne('posts', { id: created.id })).rejects.toMatchObject({ status: 404 });
  });

  test('what the service says about attributes is at their fields', async () => {
    const refused = provider().create('posts', { data: { title: '', views: -1, backlinks: [{ url: null }] } });
    const error = await refused.catch((each) => each);
    expect([error.status, error.name]).toEqual([400, 'HttpError']);
    expect(Object.keys(error.body.errors)).toEqual(expect.arrayContaining(['views', 'backlinks.0.url']));
  });

  test('updateMany and deleteMany change all records or none', async () => {
    const names = ['many-1', 'many-2'];
    const made = await Promise.all(names.map((name) => provider().create('users', { data: { name, role: 'user' } })));
    const ids = made.map(({ data }) => data.id);
    expect((await provider().updateMany('users', { ids, data: { role: 'admin' } })).data).toEqual(ids);
    const { data } = await provider().getMany('users', { ids });
    expect(data.map(({ role }) => role)).toEqual(['admin', 'admin']);
    await expect(provider().deleteMany('users', { ids: [...ids, AUTHOR] })).rejects.toMatchObject({ status: 409 });
    expect((await provider().getMany('users', { ids })).data).toHaveLength(2);
    expect((await provider().deleteMany('users', { ids })).data).toEqual(ids);
  });

  test('an aborted request ends, and an unknown resource is named', async () => {
    const leaving = new AbortController();
    const list = provider().getList('posts', { ...PAGE, signal: leaving.signal });
    leaving.abort();
    await expect(list).rejects.toMatchObject({ name: 'AbortError' });
    await expect(provider().getList('nothing', PAGE)).rejects.toThrow('The resource nothing is the entity nothing');
  });

  test('the auth provider says who the user is and what the user may do', async () => {
    const session = { isLoggedIn: async () => true } as never;
    const auth = createAuthProvider({ client: reader, session, resources: RESOURCES, redirectUri: '' });
    expect(await auth.getIdentity()).toEqual({ id: 'reader', fullName: 'reader' });
    const access = async (action: string) => auth.canAccess({ resource: 'posts', action });
    expect([await access('list'), await access('edit'), await access('create')]).toEqual([true, false, false]);
    await expect(auth.checkError({ status: 401 })).rejects.toThrow();
    await auth.checkError({ status: 403 });
    const refused = createDataProvider({ client: reader, resources: RESOURCES }).create('tags', {
      data: { name: 'x' },
    });
    await expect(refused).rejects.toMatchObject({ status: 403 });
  });
});

describe('Refine', () => {
  const provider = () => createRefineProvider({ client, resources: RESOURCES });

  test('getList sorts, pages, counts and filters', async () => {
    const list = await provider().getList({
      resource: 'posts',
      pagination: { currentPage: 2, pageSize: 4 },
      sorters: [
        { field: 'category.title', order: 'asc' },
        { field: 'views', order: 'desc' },
      ],
      filters: [
        {
          operator: 'or',
          value: [
            { field: 'views', operator: 'lte', value: 60 },
            { field: 'title', operator: 'eq', value: 'Post 13' },
          ],
        },
      ],
    });
    expect([list.total, list.data.map(({ title }) => title)]).toEqual([7, ['Post 06', 'Post 04', 'Post 02']]);
    const all = await provider().getList({
      resource: 'posts',
      pagination: { mode: 'off' },
      filters: [{ field: 'q', operator: 'contains', value: 'HARBOUR' }],
    });
    expect([all.total, all.data[0].title]).toEqual([1, 'Post 01']);
  });

  test('getOne, getMany and getApiUrl', async () => {
    expect((await provider().getOne({ resource: 'posts', id: FIRST })).data).toMatchObject({ title: 'Post 01' });
    await expect(provider().getOne({ resource: 'posts', id: AUTHOR })).rejects.toMatchObject({ statusCode: 404 });
    expect((await provider().getMany({ resource: 'tags', ids: [TAG] })).data).toHaveLength(1);
    expect(provider().getApiUrl()).toBe(`${blog.url}/rest/entities`);
  });

  test('create, update with a conflict, and deleteOne', async () => {
    const refine = provider();
    const { data: created } = await refine.create({ resource: 'tags', variables: { name: 'refine' } });
    const { data } = await refine.update({ resource: 'tags', id: created.id, variables: { name: 'refined' } });
    expect(data).toMatchObject({ name: 'refined', version: 2 });
    // Somebody else changes it; the form still has the values of before.
    await provider().update({ resource: 'tags', id: created.id, variables: { name: 'others' } });
    const stale = refine.update({ resource: 'tags', id: created.id, variables: { ...data, name: 'mine' } });
    await expect(stale).rejects.toMatchObject({ statusCode: 412, code: 'REQ_PRECONDITION_FAILED' });
    expect((await refine.deleteOne({ resource: 'tags', id: created.id })).data).toEqual({ id: created.id });
  });

  test('createMany, updateMany and deleteMany; errors of fields', async () => {
    const variables = [{ name: 'a-1' }, { name: 'a-2' }];
    const { data } = await provider().createMany({ resource: 'tags', variables });
    const ids = data.map(({ id }) => id);
    const posts = await provider().createMany({ resource: 'posts', variables: [{ title: 'M' }, { title: 'N' }] });
    const postIds = posts.data.map(({ id }) => id);
    const updated = await provider().updateMany({ resource: 'posts', ids: postIds, variables: { views: 7 } });
    expect(updated.data.map(({ views }) => views)).toEqual([7, 7]);
    expect((await provider().deleteMany({ resource: 'posts', ids: postIds })).data).toHaveLength(2);
    expect((await provider().deleteMany({ resource: 'tags', ids })).data).toHaveLength(2);
    const refused = provider().create({ resource: 'posts', variables: { title: 'x', views: -1 } });
    await expect(refused).rejects.toMatchObject({ statusCode: 400, errors: { views: expect.any(String) } });
  });

  test('rights, and changes of others', async () => {
    const access = createAccessControlProvider({ client: reader, resources: RESOURCES });
    expect(await access.can({ resource: 'posts', action: 'list' })).toEqual({ can: true });
    expect(await access.can({ resource: 'posts', action: 'edit' })).toEqual({
      can: false,
      reason: 'You may not edit posts',
    });

    const live = createLiveProvider({ client, resources: RESOURCES });
    const created = new Set<unknown>();
    const leaving = live.subscribe({
      channel: 'resources/tags',
      // The feed may also have late changes of the tests before.
      callback: ({ type, payload }) => {
        for (const id of type === 'created' ? (payload.ids ?? []) : []) created.add(id);
      },
    });
    // It has what is committed after it was opened.
    const ids: string[] = [];
    while (!ids.some((id) => created.has(id))) {
      const { data } = await provider().create({ resource: 'tags', variables: { name: `live-${ids.length}` } });
      ids.push(data.id);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    live.unsubscribe(leaving);
    await provider().deleteMany({ resource: 'tags', ids });
  });
});
