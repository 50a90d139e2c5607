import { defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { type DataFixture, NOW, startData } from '../data-fixture.ts';

const application = defineApplication({
  id: 't',
  name: 'Deals',
  entities: [standardEntity('t_Deal', { attributes: { title: string(100) } })],
});
const authTime = Math.floor(Date.parse(`${NOW}Z`) / 1_000);
const admin = { resourceRoles: ['system-full-access'] };

let data: DataFixture;
beforeAll(async () => {
  const users = {
    weak: { ...admin, acr: 'urn:lintel:acr:1fa', authTime: Math.floor(Date.now() / 1_000) },
    strong: { ...admin, acr: 'urn:lintel:acr:2fa', authTime: Math.floor(Date.now() / 1_000) },
    old: { ...admin, acr: 'urn:lintel:acr:2fa', authTime },
  };
  data = await startData(application, users, {
    'svc.security.step-up.deals.url-patterns': '/rest/entities/t_Deal/**',
    'svc.security.step-up.deals.methods': 'POST,PUT,DELETE',
    'svc.security.step-up.deals.max-age': '5m',
  });
});
afterAll(() => data.close());

const create = (user: string) => data.send(user, 'POST', '/entities/t_Deal', { title: 'A' });

// Asserts contract/tokens.md#step-up.
test('a rule of step-up refuses weak and old logins before anything is read, and names what they need', async () => {
  const refused = await create('weak');
  expect([refused.status, refused.json()]).toEqual([
    401,
    {
      error: 'insufficient_user_authentication',
      error_description: 'A stronger or newer login is required',
    },
  ]);
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer realm="oauth2-resource", error="insufficient_user_authentication", error_description="A stronger or newer login is required", acr_values="urn:lintel:acr:2fa", max_age="300"',
  );
  expect((await create('old')).status).toBe(401);
  expect((await create('strong')).status).toBe(201);
});

// Asserts contract/tokens.md#step-up.
test('requests that no rule names need no other login', async () => {
  expect((await data.send('weak', 'GET', '/entities/t_Deal')).status).toBe(200);
  expect((await data.send('weak', 'POST', '/entities/sec_User/search', { filter: { conditions: [] } })).status).toBe(
    200,
  );
});
