import { ConflictError, createClient, ForbiddenError, NotFoundError } from '@lintel/client';
import { baseUrl, tokenOf, unique } from '../api.ts';

const numbers = { sales_Customer: { creditLimit: true } } as const;
const client = createClient({ baseUrl, token: () => tokenOf('admin') }, { numbers });

test('changes have their reasons and exact numbers, and a former state is read and restored', async () => {
  const name = unique('history');
  const plan = { fetchPlan: '_local' };
  const { id } = await client.create('sales_Customer', { name, creditLimit: '10.50' }, { reason: 'für Zoë, à' });
  const old = await client.load('sales_Customer', id, plan);
  const values = { name: `${name}2`, creditLimit: 11 };
  await client.update('sales_Customer', id, values, { reason: '値上げ\n2 €' });

  const history = client.history('sales_Customer', id);
  const { items, cursor } = await history.page({ limit: 1 });
  expect(items).toMatchObject([{ user: 'admin', operation: 'updated', reason: '値上げ 2 €' }]);
  expect(items[0]?.attributes).toContainEqual({ attribute: 'creditLimit', old: '10.50', new: '11.00' });
  const [created, ...others] = (await history.page({ cursor, limit: 1 })).items;
  expect([created?.operation, created?.reason, others]).toEqual(['created', 'für Zoë, à', []]);
  const all: string[] = [];
  for await (const { change } of history.all({ limit: 1, user: 'admin', attribute: 'name' })) all.push(change);
  expect(all).toEqual([items[0]?.change, created?.change]);

  const time = new Date(created?.time ?? '');
  expect(await history.at(time, { fetchPlan: { creditLimit: true } })).toMatchObject({ id, creditLimit: '10.50' });
  expect(await history.diff(time)).toMatchObject({ operation: 'updated', attributes: items[0]?.attributes });
  const before = new Date('2020-01-01T00:00:00Z');
  expect([await history.at(before), await history.diff(before, before)]).toEqual([undefined, undefined]);

  await expect(history.restore(time, { ifMatch: old ?? '' })).rejects.toBeInstanceOf(ConflictError);
  const present = await client.load('sales_Customer', id, plan);
  const restored = await history.restore(time, { attributes: ['name'], ifMatch: present ?? '', reason: 'back' });
  expect(restored).toMatchObject({ id });
  expect(await client.load('sales_Customer', id, plan)).toMatchObject({ name, creditLimit: '11.00' });
  expect((await history.page({ limit: 1 })).items).toMatchObject([{ reason: 'back' }]);
  await client.remove('sales_Customer', id, { reason: 'test' });
  expect((await history.page({ limit: 1 })).items).toMatchObject([{ operation: 'deleted', reason: 'test' }]);
  await expect(history.restore(time)).rejects.toBeInstanceOf(NotFoundError);
});

test('changes of all instances are listed by reason, with exact numbers', async () => {
  const reason = unique('audit');
  const { id } = await client.create('sales_Customer', { name: reason, creditLimit: '10.50' }, { reason });
  await client.update('sales_Customer', id, { creditLimit: 11 }, { reason });
  const { items, cursor } = await client.history().page({ reason, limit: 1, entity: 'sales_Customer' });
  expect(items).toMatchObject([
    { entity: 'sales_Customer', id, attributes: [{ attribute: 'creditLimit', old: '10.50', new: '11.00' }] },
  ]);
  const rest = [];
  for await (const { operation } of client.history().all({ reason, cursor, entity: 'sales_Customer' }))
    rest.push(operation);
  expect(rest).toEqual(['created']);
});

test('a change is taken back, also of several instances, and once', async () => {
  const name = unique('undo');
  const one = await client.create('sales_Customer', { name });
  await client.update('sales_Customer', one.id, { name: `${name}2` });
  const [last] = (await client.history('sales_Customer', one.id).page({ limit: 1 })).items;
  const undone = await client.history().undo(last?.change ?? '', { reason: 'wrong' });
  expect(undone).toEqual([{ entity: 'sales_Customer', id: one.id, operation: 'updated' }]);
  expect(await client.load('sales_Customer', one.id)).toMatchObject({ name });
  await expect(client.history().undo(last?.change ?? '')).rejects.toBeInstanceOf(ConflictError);
});

test('a history that is not there, or not permitted, is an error', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  await expect(client.history('sales_Order', id).page()).rejects.toMatchObject({
    details: 'sales_Order has no history',
  });
  const manager = createClient({ baseUrl, token: () => tokenOf('manager') });
  await expect(manager.history('sales_Customer', id).page()).rejects.toBeInstanceOf(ForbiddenError);
});
