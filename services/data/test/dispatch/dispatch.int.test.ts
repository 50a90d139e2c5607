import { readFileSync } from 'node:fs';
import { createAmqpBus } from '@lintel/events';
import { eventually } from '@lintel/testkit';
import { startWithRelay } from '../event-handlers/start-with-relay.ts';
import {
  APPLICATIONS,
  type ApplicationName,
  createBackends,
  createOrder,
  type Send,
  USERS,
} from './two-applications.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };
const PATIENT = { timeoutMs: 30_000 };

const backends = await createBackends('dispatch');
const start = (name: ApplicationName) =>
  startWithRelay(backends.databases[name], APPLICATIONS[name], USERS, backends.settings);
const [sales, dispatch] = await Promise.all([start('sales'), start('dispatch')]);
afterAll(async () => {
  await Promise.all([sales.close(), dispatch.close()]);
  await backends.drop();
});

const sendTo =
  (data: typeof sales): Send =>
  async (method, path, body, status = 200) => {
    const response = await data.send('admin', method, path, body);
    expect([response.status, response.text]).toEqual([status, expect.any(String)]);
    return response.json();
  };
const toSales = sendTo(sales);
const toDispatch = sendTo(dispatch);

const setStatus = (id: string, status: string) => toSales('PUT', `/entities/sales_Order/${id}`, { status });
const statusOf = async (id: string) =>
  ((await toSales('GET', `/entities/sales_Order/${id}`)) as { readonly status?: string }).status;
const shipmentsOf = (id: string) =>
  dispatch.query<{ id: string; state: string }>(
    `SELECT id, state FROM dispatch.shipment WHERE "order" = 'sales_Order/${id}'`,
  );
const addTour = (name: string, free: number) => toDispatch('POST', '/entities/dispatch_Tour', { name, free }, 201);
const freeOf = async (name: string) => {
  const [row] = await dispatch.query<{ free: number }>(`SELECT free FROM dispatch.tour WHERE name = '${name}'`);
  return row?.free;
};
/** The states of the shipment that dispatch has published, in their order. */
const published = (id: string) =>
  dispatch.published
    .filter(({ subject }) => subject === `sales_Order/${id}`)
    .map(({ data }) => (data as { state: string }).state);
const confirmed = async (number: string): Promise<string> => {
  const id = await createOrder(toSales, number);
  await setStatus(id, 'CONFIRMED');
  return id;
};

test('the guide shows these applications', () => {
  const page = readFileSync(new URL('../../../../docs/guide/teams.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code.trim());
  const source = ['examples/dispatch/src/shipments/plan-shipments.ts', 'examples/sales/src/events/dispatched.ts']
    .map((path) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'))
    .join('\n');
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(source).toContain(block);
});

test('a confirmed order is refused while there is no tour, and sales takes the confirmation back', async () => {
  const id = await confirmed('none');
  await eventually(async () => expect(await statusOf(id)).toBe('NEW'), PATIENT);
  await eventually(() => expect(published(id)).toEqual(['REFUSED', 'CANCELLED']), PATIENT);
});

test('a confirmed order is planned once, and shipped', async () => {
  await addTour('A', 1);
  const id = await confirmed('one');
  await eventually(() => expect(published(id)).toEqual(['PLANNED']), PATIENT);
  expect(await freeOf('A')).toBe(0);
  const [shipment] = await shipmentsOf(id);
  await toDispatch('PUT', `/entities/dispatch_Shipment/${shipment?.id}`, { state: 'SHIPPED' });
  await eventually(async () => expect(await statusOf(id)).toBe('SHIPPED'), PATIENT);
});

test('the states of an order arrive in their order: its room is taken, given back and taken again', async () => {
  await addTour('B', 2);
  const id = await confirmed('often');
  await setStatus(id, 'NEW');
  await setStatus(id, 'CONFIRMED');
  const deleted = await confirmed('deleted');
  expect((await sales.send('admin', 'DELETE', `/entities/sales_Order/${deleted}`)).status).toBe(204);
  await eventually(() => expect(published(id)).toEqual(['PLANNED', 'CANCELLED', 'PLANNED']), PATIENT);
  await eventually(() => expect(published(deleted)).toEqual(['PLANNED', 'CANCELLED']), PATIENT);
  expect([await freeOf('B'), await statusOf(id)]).toEqual([1, 'CONFIRMED']);
});

test('repeated events change nothing, and poison is a dead letter that keeps no order waiting', async () => {
  const repeated = sales.published.at(-1);
  if (repeated === undefined) throw new Error('Sales has published nothing');
  const bus = await createAmqpBus({
    ...{ urls: [backends.vhost.url], service: 'test', instanceId: 'test', logger: SILENT },
    clock: { now: () => Date.now() },
  });
  await bus.publish([repeated, { ...repeated, id: 'poison', data: { number: 'poison', status: 'LOST' } }]);
  await bus.close();
  const before = dispatch.published.length;
  const id = await confirmed('after');
  await eventually(() => expect(published(id)).toEqual(['PLANNED']), PATIENT);
  expect(dispatch.published).toHaveLength(before + 1);
  const { letters } = (await toDispatch('GET', '/operations/dead-letters')) as unknown as { letters: object[] };
  expect(letters).toMatchObject([
    { id: 'poison', queue: 'handler.plan-shipments', reason: expect.stringContaining('data.status must be equal to') },
  ]);
});
