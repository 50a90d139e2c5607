import { randomBytes } from 'node:crypto';
import { bindApplication, controller, loadQueries, predefinedQuery, restMethod, service, t } from '@lintel/application';
import { listen, type RunningServer } from '@lintel/http';
import { entityPolicy, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const MARKED = ['t_Customer', 't_Rate', 't_Movement', 't_Party', 't_Everything'];
const RECORDED = ['t_Customer', 't_Party'];

const auditor = (name: string, ...more: string[]) =>
  resourceRole(name, {
    name,
    childRoles: ['rest-minimal'],
    policies: [
      entityPolicy('t_Customer', 'read'),
      entityPolicy('t_Rate', 'read'),
      viewAttributes('t_Customer', '*'),
      ...more.map((permission) => specificPolicy(permission)),
    ],
  });

let data: DataFixture;
let internal: RunningServer;
let marker: string;
beforeAll(async () => {
  const entities = (shop.entities ?? []).map((entity) =>
    MARKED.includes(entity.name)
      ? { ...entity, accessLog: {}, ...(RECORDED.includes(entity.name) && { history: {} }) }
      : entity,
  );
  const bare = bindApplication(
    {
      ...shop,
      entities,
      roles: [
        ...(shop.roles ?? []),
        auditor('auditor', 'access-log.read'),
        auditor('rate-auditor', 'access-log.read.t_Rate'),
        auditor('outsider'),
        resourceRole('company-auditor', {
          name: 'Reads companies, and no other parties',
          childRoles: ['rest-minimal'],
          policies: [entityPolicy('t_Company', 'read'), specificPolicy('access-log.read')],
        }),
      ],
      queries: [
        predefinedQuery('t_Customer', 'everyone', { text: 'select c from t_Customer c', fetchPlan: '_local' }),
        predefinedQuery('t_Order', 'names', { text: 'select o.customer.name as name from t_Order o' }),
        predefinedQuery('t_Order', 'numbers', { text: 'select o.number as number from t_Order o' }),
      ],
      services: [
        service('t_Customers', {
          first: restMethod({ returns: t.string }, async (_, { data: own }) => {
            const [customer] = await own.unconstrained().loadList('t_Customer', { sort: 'name', limit: 1 });
            return String(customer?.['name']);
          }),
          grouped: restMethod({ returns: t.int }, async (_, { data: own }) => {
            const groups = await own.unconstrained().aggregate('t_Order', { groupBy: ['customer.name'], limit: 1 });
            return groups.length;
          }),
        }),
      ],
      controllers: [
        controller('GET', '/customers/:id', async ({ parameters, data: own }) => ({
          body: { name: (await own.load('t_Customer', parameters['id']))?.['name'] },
        })),
      ],
    },
    [],
  );
  const application = await loadQueries(bare, [], async () => '');
  data = await startData(application, {
    admin: { resourceRoles: ['system-full-access'] },
    clerk: { resourceRoles: ['system-full-access'] },
    seer: { resourceRoles: ['system-full-access'], username: 'clerk', seenBy: 'root' },
    auditor: { resourceRoles: ['auditor'] },
    local: { resourceRoles: ['auditor'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
    'rate-auditor': { resourceRoles: ['rate-auditor'] },
    outsider: { resourceRoles: ['outsider'] },
    'company-auditor': { resourceRoles: ['company-auditor'] },
  });
  internal = await listen(data.service.internalApp, { host: '127.0.0.1', port: 0 });
  marker = await create('t_Everything', {});
  // The first order is A1.
  made = 0;
});
afterAll(async () => {
  await internal.close();
  await data.close();
});

let made = 0;
const create = async (entity: string, body: unknown) => {
  const response = await data.send('admin', 'POST', `/entities/${entity}`, body);
  expect([response.status, response.text]).toEqual([201, expect.anything()]);
  made += 1;
  return response.json().id;
};
const customerWithOrder = async (name: string, country = 'DE') => {
  const customer = await create('t_Customer', { name, address: { country } });
  return { customer, order: await create('t_Order', { number: `A${made}`, customer: { id: customer } }) };
};

interface Entry {
  readonly operation: string;
  readonly entity: string;
  readonly ids?: readonly string[];
  readonly count: number;
  readonly user: string;
}
/** Entries are stored in the order of their reads: when the entry of a marker is there, so are all before it. */
async function readMarker(): Promise<string> {
  const trace = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  expect((await data.send('admin', 'GET', `/entities/t_Everything/${marker}`, undefined, headers)).status).toBe(200);
  return trace;
}

/** Entries of the requests that `work` sends; no others are left. */
async function readBy(work: () => Promise<unknown>): Promise<readonly Omit<Entry, 'user'>[]> {
  const begin = await readMarker();
  await work();
  const end = await readMarker();
  const idOf = 'SELECT id FROM history.access WHERE trace_id = ';
  await eventually(async () => expect(await data.query(`${idOf} '${end}'`)).toHaveLength(1));
  await data.query(`DELETE FROM history.access WHERE id <= (${idOf} '${begin}') OR id >= (${idOf} '${end}')`);
  const response = await data.send('admin', 'GET', '/access-log?limit=100');
  expect([response.status, response.text, data.errors]).toEqual([200, expect.anything(), []]);
  return response.json().map(({ operation, entity, ids, count }: Entry) => ({ operation, entity, ids, count }));
}
const get = async (path: string, user = 'clerk', body?: unknown) => {
  const response = await data.send(user, body === undefined ? 'GET' : 'POST', path, body);
  expect([response.status, response.text]).toEqual([200, expect.anything()]);
  return response;
};
const sendInternal = async (path: string, body: object) => {
  const response = await fetch(`${internal.url}/internal/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer clerk' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.text();
};
const plan = (value: object) => encodeURIComponent(JSON.stringify(value));
const NESTED = { entity: 't_Order', properties: ['number', { name: 'customer', fetchPlan: '_instance_name' }] };

// Asserts contract/access-log.md#recorded.
describe('instances of marked entities are recorded in every operation', () => {
  const of = (operation: string, ...ids: string[]) => ({ operation, entity: 't_Customer', ids, count: ids.length });

  test('single reads, lists, searches and queries are recorded, also below an entity that is not marked', async () => {
    const { customer, order } = await customerWithOrder('Ada');
    const filter = { conditions: [{ property: 'name', operator: '=', value: 'Ada' }] };
    expect(await readBy(() => get(`/entities/t_Customer/${customer}`))).toEqual([of('read', customer)]);
    const nobody = { conditions: [{ property: 'name', operator: '=', value: 'nobody' }] };
    expect(await readBy(() => get('/entities/t_Customer/search', 'clerk', { filter: nobody }))).toEqual([]);
    expect(await readBy(() => get('/entities/t_Customer?limit=1'))).toEqual([of('list', customer)]);
    expect(await readBy(() => get('/entities/t_Customer/search', 'clerk', { filter }))).toEqual([
      of('search', customer),
    ]);
    expect(await readBy(() => get(`/entities/t_Order?fetchPlan=${plan(NESTED)}`))).toEqual([of('list', customer)]);
    expect(await readBy(() => get(`/entities/t_Order/${order}?fetchPlan=_local`))).toEqual([]);
    expect(await readBy(() => get('/queries/t_Customer/everyone'))).toEqual([of('query', customer)]);
    expect(await readBy(() => get('/queries/t_Order/numbers'))).toEqual([]);
    expect(await readBy(() => get('/queries/t_Order/names'))).toEqual([
      { operation: 'query', entity: 't_Customer', ids: undefined, count: 1 },
    ]);
    expect(await readBy(() => get('/queries/t_Customer/everyone/count'))).toEqual([]);
    const aggregates = { groupBy: ['customer.name'], aggregates: { orders: { count: '*' } } };
    expect(await readBy(() => get('/aggregates/t_Order', 'clerk', aggregates))).toEqual([
      { operation: 'query', entity: 't_Customer', ids: undefined, count: 1 },
    ]);
  });

  test('a long page, which is streamed, is recorded', async () => {
    for (let at = 0; at < 3; at += 1) await customerWithOrder(`S${at}`);
    const entries = await readBy(() => get('/entities/t_Customer?limit=2000&fetchPlan=_local'));
    expect(entries.map(({ operation, count }) => [operation, count])).toEqual([['list', 4]]);
  });

  test('responses of writes are recorded, with and without a read', async () => {
    const [{ operation, ids } = { operation: '', ids: [] }] = await readBy(() => create('t_Customer', { name: 'New' }));
    expect([operation, ids?.length]).toEqual(['write', 1]);
    const [id = ''] = ids ?? [];
    const update = () =>
      data.send('clerk', 'PUT', `/entities/t_Customer/${id}?responseFetchPlan=_local`, { name: 'Newer' });
    expect(await readBy(update)).toEqual([of('write', id)]);
    expect(await readBy(() => data.send('clerk', 'DELETE', `/entities/t_Customer/${id}`))).toEqual([]);
    expect(await readBy(() => get(`/entities/t_Customer/${id}?deleted=only`, 'admin'))).toEqual([of('bin', id)]);
  });

  test('instances that application code loads for a caller are recorded', async () => {
    const { customer } = await customerWithOrder('Aaron');
    expect(await readBy(() => get('/services/t_Customers/first'))).toEqual([of('service', customer)]);
    expect(await readBy(() => get('/services/t_Customers/grouped'))).toEqual([
      { operation: 'service', entity: 't_Customer', ids: undefined, count: 1 },
    ]);
    const load = async () => {
      const url = `${data.url}/customers/${customer}`;
      expect((await fetch(url, { headers: { authorization: 'Bearer clerk' } })).status).toBe(200);
    };
    expect(await readBy(load)).toEqual([of('controller', customer)]);
  });

  test('data of reports and files are recorded', async () => {
    const body = {
      entity: 't_Order',
      fetchPlan: NESTED,
      filter: { conditions: [{ property: 'number', operator: '=', value: 'A1' }] },
    };
    const [report] = await readBy(() => sendInternal('datasets', body));
    expect(report).toMatchObject({ operation: 'report', entity: 't_Customer', count: 1 });
    const query = { query: "select o.customer.name as name from t_Order o where o.number = 'A1'", values: {} };
    expect(await readBy(() => sendInternal('datasets', query))).toEqual([
      { operation: 'report', entity: 't_Customer', ids: undefined, count: 1 },
    ]);
    const file = await create('t_Everything', { file: 'fs://2026/11/28/x.pdf?name=x.pdf' });
    expect(await readBy(() => sendInternal('forwarded/file-access', { key: 'fs://2026/11/28/x.pdf' }))).toEqual([
      { operation: 'file', entity: 't_Everything', ids: [file], count: 1 },
    ]);
  });

  test('histories and previews of rights are recorded, for the caller', async () => {
    const { customer } = await customerWithOrder('Agatha');
    expect(await readBy(() => get(`/history/t_Customer/${customer}`))).toEqual([of('history', customer)]);
    const at = `/history/t_Customer/${customer}/at?time=2100-01-01T00:00:00Z`;
    expect(await readBy(() => get(at))).toEqual([of('history', customer)]);
    const username = 'viewed';
    await create('sec_User', { username, active: true });
    for (const roleCode of ['rest-minimal', 'auditor'])
      await create('sec_RoleAssignment', { username, roleCode, roleType: 'resource' });
    const policies = [{ entityName: 't_Customer', whereClause: `{E}.id = '${customer}'` }];
    const body = { username, entityName: 't_Customer', role: 'draft', policies };
    expect(await readBy(() => get('/rights/preview', 'clerk', body))).toEqual([of('preview', customer)]);
    expect((await get('/access-log', 'auditor')).json()).toEqual([expect.objectContaining({ user: 'clerk' })]);
  });

  test('a history of descendants is recorded once', async () => {
    const company = await create('t_Company', { name: 'Once' });
    const entry = { operation: 'history', entity: 't_Party', ids: [company], count: 1 };
    expect(await readBy(() => get(`/history/t_Company/${company}`))).toEqual([entry]);
    expect(await readBy(() => get('/history?entity=t_Party'))).toEqual([entry]);
    await data.send('admin', 'DELETE', `/entities/t_Company/${company}`);
  });

  test('composite and long ids are exact, and descendants have the name of the root', async () => {
    await create('t_Rate', { id: { currency: 'EUR', validOn: '2026-01-02' }, rate: 1 });
    await create('t_Warehouse', { code: 'W1', name: 'One' });
    await data
      .query(`INSERT INTO t.movement (id, warehouse_id, quantity) VALUES (9007199254740993, 'W1', 1)`)
      .catch(async () =>
        data.query(`INSERT INTO t.movement (id, warehouse_code, quantity) VALUES (9007199254740993, 'W1', 1)`),
      );
    const company = await create('t_Company', { name: 'Ltd' });
    const rate = Buffer.from('{"currency":"EUR","validOn":"2026-01-02"}').toString('base64url');
    expect(await readBy(() => get('/entities/t_Rate'))).toEqual([
      { operation: 'list', entity: 't_Rate', ids: [rate], count: 1 },
    ]);
    expect(await readBy(() => get('/entities/t_Movement'))).toEqual([
      { operation: 'list', entity: 't_Movement', ids: ['9007199254740993'], count: 1 },
    ]);
    expect(await readBy(() => get('/entities/t_Company'))).toEqual([
      { operation: 'list', entity: 't_Party', ids: [company], count: 1 },
    ]);
    expect((await get(`/access-log?entity=t_Company&id=${company}`, 'admin')).json()).toHaveLength(1);
  });

  test('many ids are recorded in several entries', async () => {
    await data.query(
      `INSERT INTO t.customer (id, version, name) SELECT gen_random_uuid(), 1, 'many' FROM generate_series(1, 250)`,
    );
    const filter = plan({ conditions: [{ property: 'name', operator: '=', value: 'many' }] });
    const entries = await readBy(() => get(`/entities/t_Customer/search?limit=1000&filter=${filter}`));
    expect(entries.map(({ count }) => count).sort()).toEqual([100, 100, 50]);
    expect(new Set(entries.flatMap(({ ids }) => ids)).size).toBe(250);
    await data.query(`DELETE FROM t.customer WHERE name = 'many'`);
  });
});

// Asserts contract/access-log.md#list.
describe('the access log', () => {
  test('has who read when, by which session and trace, and on whose behalf', async () => {
    const { customer } = await customerWithOrder('Whom');
    await readBy(() => get(`/entities/t_Customer/${customer}`, 'seer'));
    const [entry] = (await get('/access-log', 'auditor')).json();
    expect(entry).toEqual({
      time: '2026-11-21T10:20:30.400Z',
      user: 'root',
      seenAs: 'clerk',
      client: 'c',
      session: 'seer',
      trace: expect.stringMatching(/^[0-9a-f]{32}$/),
      operation: 'read',
      entity: 't_Customer',
      ids: [customer],
      count: 1,
    });
  });

  test('is listed by entity, instance, user and time, page by page', async () => {
    const { customer } = await customerWithOrder('Paged');
    await readBy(async () => {
      for (let at = 0; at < 5; at += 1) await get(`/entities/t_Customer/${customer}`);
      await get(`/entities/t_Customer/${customer}`, 'admin');
    });
    const pages: number[] = [];
    for (
      let path: string | undefined = `/access-log?entity=t_Customer&id=${customer}&user=clerk&limit=2`;
      path !== undefined;
    ) {
      const response = await get(path, 'auditor');
      pages.push(response.json().length);
      const [, next] = /<[^>]*?\/rest([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      path = next;
    }
    expect(pages).toEqual([2, 2, 1]);
    expect((await get('/access-log?from=2026-11-21T10:20:30.401Z', 'auditor')).json()).toEqual([]);
    expect((await get('/access-log?to=2026-11-21T10:20:30.400Z', 'auditor')).json()).toEqual([]);
    expect((await get('/access-log?user=nobody', 'auditor')).json()).toEqual([]);
  });

  test('names to callers with row-level policies only instances that they may see', async () => {
    const { customer: near } = await customerWithOrder('Near', 'DE');
    const { customer: far } = await customerWithOrder('Far', 'FR');
    await readBy(() => get('/entities/t_Customer?limit=1000'));
    const [all] = (await get('/access-log', 'auditor')).json();
    const [own] = (await get('/access-log', 'local')).json();
    expect(all.ids).toEqual(expect.arrayContaining([near, far]));
    expect([own.ids.includes(near), own.ids.includes(far), own.count]).toEqual([true, false, own.ids.length]);
    await readBy(() => get(`/entities/t_Customer/${far}`));
    const hidden = await get(`/access-log?entity=t_Customer&id=${far}`, 'local');
    expect([hidden.json(), hidden.headers.get('link')]).toEqual([[], null]);
    await readBy(() => get('/queries/t_Order/names'));
    expect((await get('/access-log', 'local')).json()).toEqual([]);
  });

  test('needs the permission, for all entities or for one, and refuses what it cannot list', async () => {
    const status = async (user: string, path: string) => (await data.send(user, 'GET', `/access-log${path}`)).status;
    expect(await status('outsider', '')).toBe(403);
    expect(await status('outsider', '?entity=t_Customer')).toBe(403);
    expect(await status('rate-auditor', '?entity=t_Customer')).toBe(403);
    expect(await status('rate-auditor', '?entity=t_Rate')).toBe(200);
    expect(await status('rate-auditor', '')).toBe(200);
    expect(await status('admin', '?entity=t_Order')).toBe(404);
    expect(await status('admin', '?entity=t_None')).toBe(404);
    expect(await status('company-auditor', '?entity=t_Company')).toBe(403);
    expect(await status('company-auditor', '')).toBe(403);
  });

  test('accepts a long id, and refuses wrong values of parameters', async () => {
    await create('t_Rate', { id: { currency: 'USD', validOn: '2026-02-03' }, rate: 1 });
    await readBy(() => get('/entities/t_Rate'));
    const long = Buffer.from(`{"currency":"USD",${' '.repeat(300)}"validOn":"2026-02-03"}`).toString('base64url');
    expect((await get(`/access-log?entity=t_Rate&id=${long}`, 'admin')).json()).toHaveLength(1);
    for (let at = 0; at < 2; at += 1) await create('t_Customer', { name: 'Changed' });
    await readBy(() => get('/entities/t_Customer?limit=1000').then(() => get('/entities/t_Customer?limit=1000')));
    const cursorOf = async (path: string, user: string) =>
      /[?&]cursor=([^&>]+)/.exec((await get(path, user)).headers.get('link') ?? '')?.[1] ?? 'none';
    const own = await cursorOf('/access-log?limit=1', 'admin');
    expect((await get(`/access-log?limit=1&cursor=${own}`, 'admin')).json()).toHaveLength(1);
    const time = '2026-11-26T08:00:00Z';
    for (const [wrong, named] of [
      ['id=1', 'id needs entity'],
      ['entity=t_Customer&id=1', 'Cannot convert 1'],
      ['entity=t_Customer&id=', 'id'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=1e1', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['from=now', 'from'],
      ['to=2026-11-26', 'to'],
      [`from=${time}&from=${time}`, 'from'],
      ['user=a%00', 'NUL'],
      ['user=a&user=b', 'user'],
      ['user=', 'user'],
      [`user=${'u'.repeat(256)}`, 'user'],
      ['entity=t_Customer&entity=t_Rate', 'entity'],
      ['cursor=x', 'cursor'],
      [`cursor=${own}&cursor=${own}`, 'cursor'],
      [`entity=t_Rate&cursor=${own}`, 'cursor'],
      [`cursor=${await cursorOf('/history?limit=1', 'admin')}`, 'cursor'],
      [`cursor=${await cursorOf('/access-log?limit=1', 'clerk')}`, 'cursor'],
    ]) {
      const { status, text } = await data.send('admin', 'GET', `/access-log?${wrong}`);
      expect([wrong, status, text]).toEqual([wrong, 400, expect.stringContaining(named ?? '')]);
    }
  });
});
