import { createClient } from '@lintel/client';
import { createDataProvider as createAdminProvider } from '../react-admin/create-data-provider.ts';
import { createAuditLogProvider } from './create-audit-log-provider.ts';
import { createDataProvider } from './create-data-provider.ts';

const entity = { entityName: 'app_Item', ancestor: null, properties: [] };

/** Options with a server that responds as scripted, and what was sent to it. */
function serverOf(respond: (path: string) => unknown) {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: 'http://server',
    maxRetries: 0,
    fetch: async (url, { method, body }) => {
      const path = url.replace('http://server/rest', '');
      if (!path.startsWith('/metadata')) sent.push(`${method} ${path} ${body ?? ''}`);
      return Response.json(path.startsWith('/metadata') ? [entity] : respond(path));
    },
  });
  return { options: { client, resources: { items: 'app_Item' } }, sent };
}

test('the logs of a record are its recorded changes', async () => {
  const change = { change: 'c', operation: 'updated', time: 't', user: 'ann', reason: 'why' };
  const attributes = [{ attribute: 'name', old: 'a', new: 'b' }];
  const { options, sent } = serverOf(() => [{ ...change, attributes }]);
  const provider = createAuditLogProvider(options);
  expect(await provider.get({ resource: 'items', meta: { id: '1' } })).toEqual([
    {
      ...{ id: 'c', action: 'update', resource: 'items', createdAt: 't', name: 'why', meta: { id: '1' } },
      ...{ author: { name: 'ann' }, data: { name: 'b' }, previousData: { name: 'a' } },
    },
  ]);
  expect(await provider.get({ resource: 'items' })).toEqual([]);
  expect(sent).toEqual([expect.stringContaining('GET /history/app_Item/1?limit=100')]);
});

test('lists, records and removals are of the bin with deleted in their meta', async () => {
  const respond = (path: string) => (path.endsWith('/search') ? [] : path.endsWith('/count') ? 0 : { id: '1' });
  const refine = serverOf(respond);
  const meta = { deleted: 'only' };
  const provider = createDataProvider(refine.options);
  await provider.getList({ resource: 'items', meta });
  await provider.getOne({ resource: 'items', id: '1', meta });
  await provider.deleteOne({ resource: 'items', id: '1', meta });
  const admin = serverOf(respond);
  const adminProvider = createAdminProvider(admin.options);
  await adminProvider.getList('items', { meta });
  await adminProvider.getOne('items', { id: '1', meta });
  await adminProvider.delete('items', { id: '1', meta });
  await adminProvider.deleteMany('items', { ids: ['1'], meta });
  for (const request of [...refine.sent, ...admin.sent]) expect(request).toMatch(/"deleted":"only"|deleted=only/);
  expect([refine.sent.length, admin.sent.length]).toEqual([4, 5]);
});
