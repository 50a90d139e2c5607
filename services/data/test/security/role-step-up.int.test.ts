import { defineApplication } from '@lintel/application';
import { compositionOfMany, standardEntity, string, toOne } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, requireAcr, resourceRole, specificPolicy } from '@lintel/security';
import { type DataFixture, startData, type TestUser } from '../data-fixture.ts';

const ONE = 'urn:lintel:acr:1fa';
const TWO = 'urn:lintel:acr:2fa';

const entities = [
  standardEntity('t_Order', {
    attributes: { title: string(100), lines: compositionOfMany('t_Line', 'order'), secret: toOne('t_Secret') },
  }),
  standardEntity('t_Line', { attributes: { text: string(100), order: toOne('t_Order') } }),
  standardEntity('t_Secret', { attributes: { text: string(100) } }),
];
const application = defineApplication({
  id: 't',
  name: 'Orders',
  entities,
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [
        entityPolicy('t_Order', 'create', 'read', 'update'),
        entityPolicy('t_Line', 'create', 'read'),
        modifyAttributes('*', '*'),
        requireAcr(
          TWO,
          entityPolicy('t_Order', 'delete'),
          entityPolicy('t_Line', 'update', 'delete'),
          entityPolicy('t_Secret', 'create', 'read', 'update'),
          specificPolicy('clients.manage'),
        ),
      ],
    }),
    resourceRole('registrar', { name: 'Registrar', policies: [specificPolicy('clients.manage')] }),
    resourceRole('remover', { name: 'Remover', policies: [entityPolicy('t_Order', 'delete')] }),
    resourceRole('careful', { name: 'Careful', policies: [requireAcr(TWO, specificPolicy('rest.enabled'))] }),
  ],
});

const roles = ['rest-minimal', 'clerk'];
let data: DataFixture;
/** What auth was asked to do. */
const asked: { readonly operation: string; readonly caller: { readonly resourceRoles: readonly string[] } }[] = [];
beforeAll(async () => {
  const users: Readonly<Record<string, TestUser>> = {
    weak: { resourceRoles: roles, acr: ONE },
    strong: { resourceRoles: roles, acr: TWO },
    unknown: { resourceRoles: roles },
    client: { resourceRoles: roles, kind: 'client' },
    both: { resourceRoles: [...roles, 'remover'], acr: ONE },
    registrar: { resourceRoles: [...roles, 'registrar'], acr: ONE },
    strongRegistrar: { resourceRoles: [...roles, 'registrar'], acr: TWO },
    none: { resourceRoles: ['rest-minimal'], acr: ONE },
    careful: { resourceRoles: ['careful', 'clerk'], acr: ONE },
    admin: { resourceRoles: ['system-full-access'] },
  };
  const authAdministration = {
    call: async (operation: string, request: object) => {
      asked.push({ operation, ...(request as Pick<(typeof asked)[number], 'caller'>) });
      return 'clientId' in request && request.clientId === 'clerks' ? { resourceRoles: ['clerk'] } : {};
    },
  };
  data = await startData(application, users, {}, undefined, { authAdministration });
});
afterAll(() => data.close());

const ORDERS = '/entities/t_Order';
const CHALLENGE =
  'Bearer realm="oauth2-resource", error="insufficient_user_authentication", error_description="A stronger or newer login is required", acr_values="urn:lintel:acr:2fa"';

const newOrder = async (): Promise<string> =>
  (await data.send('admin', 'POST', ORDERS, { title: 'A', lines: [{ text: 'one' }] })).json().id;
const PLAN = JSON.stringify({
  entity: 't_Order',
  properties: ['title', { name: 'lines', fetchPlan: '_local' }],
});
const orderOf = async (id: string) =>
  (await data.send('admin', 'GET', `${ORDERS}/${id}?fetchPlan=${encodeURIComponent(PLAN)}`)).json();
async function expectStepUp(sent: ReturnType<DataFixture['send']>): Promise<void> {
  const response = await sent;
  expect([response.status, response.json()]).toEqual([
    401,
    { error: 'insufficient_user_authentication', error_description: 'A stronger or newer login is required' },
  ]);
  expect(response.headers.get('www-authenticate')).toBe(CHALLENGE);
}

// Asserts contract/roles.md#step-up.
test('an operation that a role grants to strong logins needs one, and changes nothing without', async () => {
  const id = await newOrder();
  await expectStepUp(data.send('weak', 'DELETE', `${ORDERS}/${id}`));
  await expectStepUp(data.send('unknown', 'DELETE', `${ORDERS}/${id}`));
  await expectStepUp(data.send('weak', 'DELETE', ORDERS, [id]));
  expect((await data.send('none', 'DELETE', `${ORDERS}/${id}`)).status).toBe(403);
  expect(await orderOf(id)).toMatchObject({ title: 'A' });
  expect((await data.send('strong', 'DELETE', `${ORDERS}/${id}`)).status).toBe(204);
});

// Asserts contract/roles.md#step-up.
test('what other policies grant needs no other login, and clients, which cannot log in, have the rights', async () => {
  const [first, second] = [await newOrder(), await newOrder()];
  expect((await data.send('both', 'DELETE', `${ORDERS}/${first}`)).status).toBe(204);
  expect((await data.send('weak', 'PUT', `${ORDERS}/${second}`, { title: 'B' })).status).toBe(200);
  expect((await data.send('client', 'DELETE', `${ORDERS}/${second}`)).status).toBe(204);
});

// Asserts contract/roles.md#step-up.
test('parts of an instance are protected, too: the whole request changes nothing', async () => {
  const id = await newOrder();
  const [line] = (await orderOf(id)).lines;
  const changed = { title: 'C', lines: [{ id: line.id, text: 'other' }] };
  await expectStepUp(data.send('weak', 'PUT', `${ORDERS}/${id}`, changed));
  await expectStepUp(data.send('weak', 'PUT', `${ORDERS}/${id}`, { title: 'C', lines: [] }));
  expect(await orderOf(id)).toMatchObject({ title: 'A', lines: [{ text: 'one' }] });
  expect((await data.send('strong', 'PUT', `${ORDERS}/${id}`, changed)).status).toBe(200);
  expect(await orderOf(id)).toMatchObject({ title: 'C', lines: [{ text: 'other' }] });
});

// Asserts contract/roles.md#step-up.
test('reading needs a strong login where it is the request, a condition or a query; elsewhere it hides', async () => {
  const secret = (await data.send('strong', 'POST', '/entities/t_Secret', { text: 's' })).json().id;
  await data.send('strong', 'POST', ORDERS, { title: 'with', secret: { id: secret } });
  await expectStepUp(data.send('weak', 'GET', '/entities/t_Secret'));
  await expectStepUp(data.send('weak', 'GET', `/entities/t_Secret/${secret}`));
  await expectStepUp(data.send('weak', 'PUT', `/entities/t_Secret/${secret}`, { text: 't' }));
  const filter = { conditions: [{ property: 'secret.text', operator: '=', value: 's' }] };
  await expectStepUp(data.send('weak', 'POST', `${ORDERS}/search`, { filter }));
  expect((await data.send('none', 'GET', '/entities/t_Secret')).status).toBe(403);
  const search = { filter: { conditions: [{ property: 'title', operator: '=', value: 'with' }] } };
  const plan = { ...search, fetchPlan: { entity: 't_Order', properties: [{ name: 'secret', fetchPlan: '_local' }] } };
  const read = async (user: string) => (await data.send(user, 'POST', `${ORDERS}/search`, plan)).json();
  expect((await read('weak'))[0].secret).toBeUndefined();
  expect((await read('strong'))[0].secret).toMatchObject({ text: 's' });
});

// Asserts contract/roles.md#step-up.
test('specific permissions can need a strong login', async () => {
  await expectStepUp(data.send('weak', 'GET', '/clients'));
  expect((await data.send('none', 'GET', '/clients')).status).toBe(403);
  await expectStepUp(data.send('careful', 'GET', ORDERS));
});

// Asserts contract/roles.md#step-up.
test('the permissions of a caller name the login that has more, and stay as they are for others', async () => {
  const permissions = async (user: string) => (await data.send(user, 'GET', '/permissions')).json();
  const entryOf = async (user: string) =>
    (await permissions(user)).entities.find(({ target }: { target: string }) => target === 't_Order:delete');
  expect(await entryOf('weak')).toEqual({ target: 't_Order:delete', value: 0, acr: TWO });
  expect(await entryOf('strong')).toEqual({ target: 't_Order:delete', value: 1 });
  expect(await entryOf('none')).toEqual({ target: 't_Order:delete', value: 0 });
});

// Asserts contract/roles.md#step-up, contract/clients.md#roles.
test('a client gets no role that its administrator has only after a stronger login', async () => {
  const client = (resourceRoles: readonly string[]) => ({
    clientId: 'c',
    grantTypes: ['client_credentials'],
    resourceRoles,
  });
  await expectStepUp(data.send('registrar', 'POST', '/clients', client(['registrar', 'clerk'])));
  await expectStepUp(data.send('registrar', 'PUT', '/clients/c', client(['clerk'])));
  expect(asked.filter(({ operation }) => operation !== 'clients/get')).toEqual([]);
  // Auth compares the roles of the client with the roles of the caller, also before it gives a secret.
  await data.send('registrar', 'POST', '/clients/c/secrets');
  expect(asked.at(-1)?.caller.resourceRoles).toEqual(['rest-minimal', 'registrar']);
  expect((await data.send('strongRegistrar', 'POST', '/clients', client(['clerk']))).status).toBe(201);
  expect(asked.at(-1)?.caller.resourceRoles).toEqual(['rest-minimal', 'clerk', 'registrar']);
});

// Asserts contract/roles.md#step-up.
test.each([
  ['PUT', '/clients/clerks', { name: 'Clerks' }],
  ['DELETE', '/clients/clerks', undefined],
  ['POST', '/clients/clerks/secrets', undefined],
  ['DELETE', '/clients/clerks/secrets/1', undefined],
])('%s %s needs the stronger login that the roles of the client need', async (method, path, body) => {
  asked.length = 0;
  await expectStepUp(data.send('registrar', method, path, body));
  expect(asked.map(({ operation }) => operation)).toEqual(['clients/get']);
  expect((await data.send('strongRegistrar', method, path, body)).status).toBeLessThan(300);
});
