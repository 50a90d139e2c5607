import { type DataFixture, NOW, startData } from '../../../test/data-fixture.ts';
import { shop } from '../../../test/shop-application.ts';

// Needs a database: createTestDatabase.

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
  });
}, 60_000);
afterAll(() => data.close());

const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send('admin', method, path, body, headers);

describe('a flat instance', () => {
  test('is created with defaults, audit marks and the first version', async () => {
    const answer = await admin('POST', '/entities/t_Customer', { name: 'Ada' });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const { id, ...rest } = answer.json();
    expect(rest).toEqual({ _entityName: 't_Customer', _instanceName: 'Ada' });
    expect(answer.headers.get('location')).toBe(`${data.url}/rest/entities/t_Customer/${id}`);
    const stored = (await admin('GET', `/entities/t_Customer/${id}?returnNulls=true&fetchPlan=_local`)).json();
    expect(stored).toMatchObject({
      name: 'Ada',
      active: true,
      version: 1,
      createdBy: 'admin',
      createdDate: NOW,
      lastModifiedDate: NOW,
      lastModifiedBy: null,
      email: null,
    });
  });
});
