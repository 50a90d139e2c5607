import { defineApplication } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { CALLS, GARAGE } from './garage.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(defineApplication(GARAGE), { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());
beforeEach(() => {
  CALLS.length = 0;
  data.errors.length = 0;
});

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const created = async (path: string, body: object): Promise<string> => {
  const response = await send('POST', path, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};

test('a listener writes a read-only attribute, a client does not', async () => {
  const id = await created('garage_Car', { vin: 'V1', brand: 'Fiat', label: 'by the client' });
  expect((await send('GET', `garage_Car/${id}?fetchPlan=_local`)).json().label).toBe('V1 (Fiat)');
  await send('PUT', `garage_Car/${id}`, { brand: 'Lancia', label: 'by the client' });
  expect((await send('GET', `garage_Car/${id}?fetchPlan=_local`)).json().label).toBe('V1 (Lancia)');
});

test.each([
  ['an unknown attribute', 'vni'],
  ['an HTTP client', 'the price server refused'],
  ['a broken text', 'URI malformed'],
])('a mistake in a listener, %s, returns a 500 whose cause is in the log', async (brand, logged) => {
  const { status, json } = await send('POST', 'garage_Car', { vin: 'V2', brand });
  expect([status, json()]).toEqual([500, { error: 'Server error', details: '' }]);
  const [entry] = data.errors as readonly { readonly error: Error }[];
  expect(entry?.error.message).toContain(logged);
  expect(entry?.error.stack).toContain('garage.ts');
});

test('a refusal of a listener is the response of the client', async () => {
  const { status, json } = await send('POST', 'garage_Car', { vin: 'V3', brand: 'a refusal' });
  expect([status, json()]).toEqual([409, { error: 'No such car', details: 'It was sold' }]);
  expect(data.errors).toEqual([]);
});

test('a service class without a name has that of its class, and a method without returns returns its value', async () => {
  const response = await data.send('admin', 'GET', '/services/garageDesk/opening');
  expect([response.status, response.json()]).toEqual([200, { from: '08:00', cars: 2 }]);
});

test('an error of a service method with the status of another server returns a 500', async () => {
  const { status, json } = await data.send('admin', 'GET', '/services/garageDesk/price');
  expect([status, json()]).toEqual([500, { error: 'Server error', details: '' }]);
  expect((data.errors as readonly { readonly error: Error }[])[0]?.error.message).toBe('the price server refused');
});

test('a unique reference is a unique index and ONE_TO_ONE', async () => {
  const badge = { id: await created('garage_Badge', { number: '1' }) };
  await created('garage_Car', { vin: 'V4', badge });
  const second = await send('POST', 'garage_Car', { vin: 'V5', badge });
  expect([second.status, second.json().error]).toEqual([409, 'Unique constraint violation']);
  const { properties } = (await data.send('admin', 'GET', '/metadata/entities/garage_Car')).json();
  expect(properties.find(({ name }: { name: string }) => name === 'badge').cardinality).toBe('ONE_TO_ONE');
});

test('linking at the inverse end of a M:N association calls the listeners of the owners', async () => {
  const [first, second] = [await created('garage_Car', { vin: 'M1' }), await created('garage_Car', { vin: 'M2' })];
  CALLS.length = 0;
  const id = await created('garage_Service', { name: 'oil', cars: [{ id: first }] });
  expect(CALLS).toEqual(['beforeSave updated M1', 'afterSave updated M1']);
  CALLS.length = 0;
  expect((await send('PUT', `garage_Service/${id}`, { cars: [{ id: second }] })).status).toBe(200);
  expect(CALLS.toSorted()).toEqual([
    'afterSave updated M1',
    'afterSave updated M2',
    'beforeSave updated M1',
    'beforeSave updated M2',
  ]);
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 'garage_Service', properties: [{ name: 'cars', fetchPlan: { properties: ['vin'] } }] }),
  );
  const stored = (await send('GET', `garage_Service/${id}?fetchPlan=${plan}`)).json();
  expect(stored.cars.map((car: { id: string }) => car.id)).toEqual([second]);
  CALLS.length = 0;
  expect((await send('PUT', `garage_Service/${id}`, { name: 'oil change', cars: [{ id: second }] })).status).toBe(200);
  expect(CALLS).toEqual([]);
});

test('a foreign key that a new row violates names the attribute and the id that does not exist', async () => {
  // A constraint of the database itself, of another name.
  await data.query(
    'ALTER TABLE garage.car ADD CONSTRAINT car_owner_exists FOREIGN KEY (owner_id) REFERENCES garage.owner (id)',
  );
  await data.query(
    'CREATE FUNCTION garage.forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.owner_id = gen_random_uuid(); RETURN NEW; END $$',
  );
  await data.query('CREATE TRIGGER forget BEFORE INSERT ON garage.car FOR EACH ROW EXECUTE FUNCTION garage.forget()');
  try {
    const { status, json } = await send('POST', 'garage_Car', { vin: 'V6' });
    expect([status, json()]).toEqual([
      409,
      {
        error: 'Referential integrity violation',
        details: expect.stringMatching(
          /^Entity garage_Car: owner refers to an instance that does not exist: [0-9a-f-]{36}$/,
        ),
      },
    ]);
  } finally {
    await data.query('DROP TRIGGER forget ON garage.car');
  }
});

test('a reference to an instance that does not exist is refused before', async () => {
  const owner = { id: '00000000-0000-4000-8000-000000000000' };
  const { status, json } = await send('POST', 'garage_Car', { vin: 'V7', owner });
  expect([status, json().details]).toEqual([400, "Referenced entity for property 'owner' is missing"]);
});

const policies = (entity: string, list: string, policy: object) =>
  send('POST', entity, { name: 'Stored', code: 'stored', [list]: [policy] });

test.each([
  [
    'an unknown attribute in a stored policy',
    'sec_ResourceRole',
    'resourcePolicies',
    { type: 'entityAttribute', resource: 'garage_Car.vni', action: 'view' },
    'resource',
    'garage_Car has no attribute vni (vin?)',
  ],
  [
    'an unknown entity in a stored policy',
    'sec_ResourceRole',
    'resourcePolicies',
    { type: 'entity', resource: 'garage_Carr', action: 'read' },
    'resource',
    'There is no entity garage_Carr (garage_Car?)',
  ],
  [
    'an unknown parameter in a stored policy',
    'sec_RowLevelRole',
    'rowLevelPolicies',
    { type: 'query', entityName: 'garage_Car', whereClause: '{E}.brand = :current_user_contry' },
    'whereClause',
    'there is no parameter :current_user_contry; did you mean :current_user_country?',
  ],
  [
    'an unknown parameter in a stored predicate',
    'sec_RowLevelRole',
    'rowLevelPolicies',
    { type: 'predicate', entityName: 'garage_Car', script: '{E}.brand = :current_user_brand' },
    'script',
    'there is no parameter :current_user_brand',
  ],
])('%s is refused when it is saved', async (_item, entity, list, policy, path, message) => {
  const { status, json } = await policies(entity, list, policy);
  expect([status, json()]).toEqual([
    400,
    [expect.objectContaining({ path: `${list}[0].${path}`, message: expect.stringContaining(message) })],
  ]);
});
