import {
  getApp,
  getAttributePermission,
  initializeApp,
  isOperationAllowed,
  isSpecificPermissionGranted,
  JmixRestConnection,
  removeApp,
} from '@haulmont/jmix-rest';
import { as, baseUrl, demo, query, unique } from '../api.ts';
import { connectAs, newConnection } from './connect.ts';

/** Every method of the published client, as applications call it; logins are in `login.test.ts`. */
const clerk = await connectAs('clerk');
const admin = await connectAs('admin');

interface Order {
  readonly id?: string;
  readonly number?: string;
  readonly date?: string;
  readonly status?: string;
  readonly notes?: string;
  readonly customer?: { readonly id: string; readonly name?: string };
}

const ORDER_LIST = { view: 'order-list', sort: '-date', limit: 2, offset: 1 };
const FILTER = {
  conditions: [
    { property: 'customer.address.city', operator: '=' as const, value: 'Berlin' },
    {
      group: 'OR' as const,
      conditions: [
        { property: 'status', operator: 'in' as const, value: ['NEW', 'SHIPPED'] },
        { property: 'amount', operator: '>' as const, value: 100 },
      ],
    },
  ],
};

describe('entities', () => {
  test('loadEntities lists by plan, order and page', async () => {
    const orders = await clerk.loadEntities<Order>('sales_Order', ORDER_LIST);
    expect(orders).toHaveLength(2);
    expect(orders[0]).toMatchObject({ _entityName: 'sales_Order', customer: { name: expect.any(String) } });
    expect(String(orders[0]?.date) >= String(orders[1]?.date)).toBe(true);
  });

  test('loadEntitiesWithCount returns how many there are in all', async () => {
    const { result, count } = await clerk.loadEntitiesWithCount<Order>('sales_Order', ORDER_LIST);
    expect(result).toHaveLength(2);
    expect(count).toBeGreaterThan(100);
  });

  test('searchEntities finds by a filter with groups and paths', async () => {
    const orders = await admin.searchEntities<Order>('sales_Order', FILTER, { ...ORDER_LIST, offset: 0 });
    expect(orders.length).toBeGreaterThan(0);
    expect(orders[0]).toHaveProperty('customer.name');
  });

  test('searchEntitiesWithCount returns how many there are in all', async () => {
    const { result, count } = await admin.searchEntitiesWithCount<Order>('sales_Order', FILTER, { limit: 1 });
    expect(result).toHaveLength(1);
    expect(count).toBeGreaterThan(1);
  });

  test('loadEntity reads one, by a plan', async () => {
    const order = await admin.loadEntity<Order>('sales_Order', demo.order(1), { view: 'order-edit' });
    expect(order).toMatchObject({ id: demo.order(1), _instanceName: expect.any(String), lines: expect.any(Array) });
  });

  test('loadEntity reads one with a composite id', async () => {
    const [rate] = await admin.loadEntities<{ id: { currency: string } }>('sales_ExchangeRate', { limit: 1 });
    if (rate === undefined) throw new Error('There is no exchange rate');
    expect(await admin.loadEntity('sales_ExchangeRate', rate.id)).toMatchObject({ id: rate.id });
  });

  test('commitEntity creates, then changes what has an id; deleteEntity removes it', async () => {
    const number = unique('JR');
    const draft: Order = { number, date: '2026-02-03', customer: { id: demo.customer(1) } };
    const created = await admin.commitEntity<Order>('sales_Order', draft);
    expect(created).toMatchObject({ _entityName: 'sales_Order', id: expect.any(String) });
    const { id = '' } = created;
    await admin.commitEntity<Order>('sales_Order', { id, notes: 'kept' });
    expect(await admin.loadEntity<Order>('sales_Order', id)).toMatchObject({ number, notes: 'kept' });
    await admin.deleteEntity('sales_Order', id);
    await expect(admin.loadEntity('sales_Order', id)).rejects.toMatchObject({ response: { status: 404 } });
  });

  test('commitEntity with the mode `create` sends an id of its own; violated rules are reported as items', async () => {
    const id = crypto.randomUUID();
    const draft = { id, number: unique('JR'), date: '2026-02-03', customer: { id: demo.customer(1) } };
    expect(await admin.commitEntity<Order>('sales_Order', draft, { commitMode: 'create' })).toMatchObject({ id });
    const failure = await admin.commitEntity<Order>('sales_Order', { id, status: 'CLOSED' }).catch((error) => error);
    expect(failure.response.status).toBe(400);
    expect(await failure.response.json()).toEqual([expect.objectContaining({ message: expect.any(String), path: '' })]);
    await admin.deleteEntity('sales_Order', id);
  });
});

describe('queries and services', () => {
  const params = { status: 'NEW' };

  test('query runs a predefined query', async () => {
    const orders = await admin.query<Order>('sales_Order', 'ordersByStatus', { ...params, limit: 1 });
    expect(orders).toEqual([expect.objectContaining({ _entityName: 'sales_Order' })]);
  });

  test('queryWithCount and queryCount return the same number', async () => {
    const { result, count } = await admin.queryWithCount<Order>('sales_Order', 'ordersByStatus', {
      ...params,
      limit: 1,
    });
    expect(result).toHaveLength(1);
    expect(Number(await admin.queryCount('sales_Order', 'ordersByStatus', params))).toBe(count);
  });

  test('invokeService calls a method and hands over its text', async () => {
    const total = await admin.invokeService('sales_OrderService', 'calculateTotal', { orderId: demo.order(1) });
    expect(total).toMatch(/^\d+\.\d\d$/);
  });
});

describe('metadata, messages and the user', () => {
  test('loadEntityViews and loadEntityView', async () => {
    const views = await clerk.loadEntityViews('sales_Order');
    expect(views.map(({ name }) => name).sort()).toEqual(['order-edit', 'order-list']);
    expect(await clerk.loadEntityView('sales_Order', 'order-list')).toMatchObject({ entity: 'sales_Order' });
  });

  test('loadEntitiesMessages keeps the captions and notifies its listeners', async () => {
    const heard: unknown[] = [];
    const stop = clerk.onMessagesLoaded((messages: unknown) => heard.push(messages));
    const messages = await clerk.loadEntitiesMessages();
    stop();
    expect(messages['sales_Order']).toBe('Order');
    expect(heard).toEqual([clerk.messagesCache]);
  });

  test('getEffectivePermissions is what the helpers of the client decide by', async () => {
    const permissions = await clerk.getEffectivePermissions();
    expect([
      isOperationAllowed('sales_Order', 'read', permissions),
      isOperationAllowed('sales_Order', 'delete', permissions),
      getAttributePermission('sales_Customer', 'creditLimit', permissions),
      isSpecificPermissionGranted('rest.fileUpload.enabled', permissions),
    ]).toEqual([true, false, 'DENY', false]);
    expect(isSpecificPermissionGranted('rest.fileUpload.enabled', await admin.getEffectivePermissions())).toBe(true);
  });

  test('getUserInfo returns who is logged in', async () => {
    expect(await clerk.getUserInfo()).toMatchObject({ username: 'clerk', locale: 'en' });
  });
});

describe('files', () => {
  test('what is sent to getFileUploadURL comes back by getFile', async () => {
    const body = new FormData();
    body.append('file', new Blob(['bytes of a file']), 'note.txt');
    const headers = { authorization: `Bearer ${admin.restApiToken}` };
    const uploaded = await fetch(`${admin.getFileUploadURL()}`, { method: 'POST', headers, body });
    const { fileRef } = (await uploaded.json()) as { fileRef: string };
    expect(uploaded.status).toBe(201);
    expect(await (await admin.getFile(encodeURIComponent(fileRef))).text()).toBe('bytes of a file');
    expect((await as('admin', 'GET', `/files${query({ fileRef })}`)).status).toBe(200);
  });
});

describe('the rest of the connection', () => {
  test('fetch and fetchJson reach any endpoint, as text, JSON, bytes and the response itself', async () => {
    expect(await clerk.fetchJson('GET', 'capabilities')).toEqual({ inlineFetchPlans: true });
    expect(await clerk.fetch('GET', 'entities/sales_Order/search/count', { filter: FILTER })).toMatch(/^\d+$/);
    const raw = await clerk.fetch<Response>('GET', 'entities/sales_Order', { limit: 1 }, { handleAs: 'raw' });
    expect(raw.headers.get('content-type')).toBe('application/json');
    const bytes = await clerk.fetch<Blob>('GET', 'metadata/enums', null, { handleAs: 'blob' });
    expect(JSON.parse(await bytes.text()).length).toBeGreaterThan(0);
  });

  test('getApiVersion and refreshApiVersion detect the features of the API', async () => {
    const connection = await connectAs('clerk');
    expect(await connection.getApiVersion()).toMatch(/^\d+\.\d+\.\d+$/);
    expect(connection.apiVersion).toBeUndefined();
    expect(await connection.refreshApiVersion()).toBe(connection.apiVersion);
  });

  test('setSessionLocale asks for the version once, and for the language of the connection', async () => {
    const connection = await connectAs('clerk');
    const heard: string[] = [];
    connection.onLocaleChange((locale: string) => heard.push(locale));
    connection.locale = 'de';
    await connection.setSessionLocale();
    connection.locale = 'nl';
    await expect(connection.setSessionLocale()).rejects.toMatchObject({ response: { status: 422 } });
    expect([heard, connection.apiVersion]).toEqual([['de', 'nl'], expect.stringMatching(/^\d/)]);
  });

  test('revokeToken ends the token and forgets it', async () => {
    const connection = await connectAs('clerk');
    const { restApiToken: token } = connection;
    await connection.revokeToken(token);
    connection.restApiToken = token;
    await expect(connection.getUserInfo()).rejects.toMatchObject({ response: { status: 401 } });
  });

  test('apps are made, found by name and removed; cleanup forgets what was kept', async () => {
    const app = initializeApp({ name: 'shop', apiUrl: '/rest/', restClientId: 'client', restClientSecret: 'secret' });
    expect(getApp('shop')).toBe(app);
    await app.login('clerk', 'clerk');
    expect(await app.loadEntities('sales_Product', { limit: 1 })).toHaveLength(1);
    app.cleanup();
    expect(app.restApiToken).toBeUndefined();
    removeApp('shop');
    expect(getApp('shop')).toBeNull();
    expect(new URL(app.getFileUploadURL(), baseUrl).pathname).toBe('/rest/files');
  });

  test('every method that the client has is called in these tests', async () => {
    const { readFile } = await import('node:fs/promises');
    const texts = await Promise.all(
      ['methods.test.ts', 'login.test.ts'].map((file) => readFile(new URL(file, import.meta.url), 'utf8')),
    );
    const inner = new Set(['constructor', 'requestIfSupported', 'isFeatureSupported', 'isTokenExpiredResponse']);
    const methods = Object.getOwnPropertyNames(JmixRestConnection.prototype).filter(
      (name) =>
        !(inner.has(name) || ['_getBasicAuthHeaders', 'checkStatus', 'clearAuthData'].includes(name)) &&
        typeof Object.getOwnPropertyDescriptor(JmixRestConnection.prototype, name)?.value === 'function',
    );
    expect(methods.length).toBeGreaterThan(25);
    expect(methods.filter((name) => !texts.some((text) => new RegExp(`\\.${name}[<(]`).test(text)))).toEqual([]);
    expect(newConnection().onEnumsLoaded(() => undefined)()).toHaveLength(1);
  });
});
