import { type DataFixture, startData } from '../../data-fixture.ts';
import { guarded } from './guarded-application.ts';

const holder = (...rowLevelRoles: string[]) => ({
  resourceRoles: ['system-full-access'],
  rowLevelRoles,
  attributes: { country: 'DE' },
});
const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  reader: holder('sees-own'),
  writer: holder('writes-own'),
  owner: holder('sees-own', 'writes-own'),
  creator: holder('creates-own'),
  deleter: holder('keeps-foreign'),
  clerk: holder('small-entries'),
  coder: holder('small-by-code'),
  booker: holder('with-entry'),
  noter: holder('live-notes'),
  selective: holder('sees-small'),
  stateless: { ...holder('writes-own'), attributes: {} },
};

let data: DataFixture;
const start = (profile: string) => async (): Promise<void> => {
  data = await startData(guarded, USERS, { 'svc.security.profile': profile });
};
const send = (user: string, method: string, path: string, body?: unknown) =>
  data.send(user, method, `/entities/${path}`, body);
const make = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('admin', 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const german = () => make('g_Account', { name: 'a', country: 'DE' });
const french = () => make('g_Account', { name: 'a', country: 'FR' });
const refusal = (entity: string, id: unknown, action: string) => [
  403,
  { error: 'Forbidden', details: `resource: ${entity}-${id}, type: entity, action: ${action}` },
];
const accounts = () => data.query<{ n: number }>('SELECT count(*)::int AS n FROM g.account');
const stored = (id: string) =>
  data.query('SELECT name, country, version, deleted_date IS NULL AS live FROM g.account WHERE id = $1', [id]);
/** The response, and the number of statements of the transaction. */
async function counted(user: string, method: string, path: string, body?: unknown) {
  data.statements.length = 0;
  const response = await send(user, method, path, body);
  expect([response.status, response.text]).toEqual([response.status < 300 ? response.status : 200, expect.any(String)]);
  return data.statements.length;
}

describe('policies of the kind query on writing', () => {
  beforeAll(start('compatible'));
  afterAll(() => data.close());

  // Asserts contract/decisions.md#73.
  test('a row outside of the policy is not created, and nothing is stored', async () => {
    const before = await accounts();
    const id = crypto.randomUUID();
    const refused = await send('writer', 'POST', 'g_Account', { id, name: 'a', country: 'FR' });
    expect([refused.status, refused.json()]).toEqual(refusal('g_Account', id, 'create'));
    expect(await accounts()).toEqual(before);
    expect((await send('writer', 'POST', 'g_Account', { name: 'a', country: 'DE' })).status).toBe(201);
  });

  // Asserts contract/decisions.md#73.
  test('a condition is not satisfied by a null, nor for a user without the attribute in the condition', async () => {
    expect((await send('writer', 'POST', 'g_Account', { name: 'a' })).status).toBe(403);
    expect((await send('stateless', 'POST', 'g_Account', { name: 'a', country: 'DE' })).status).toBe(403);
  });

  // Asserts contract/decisions.md#73.
  test('a row inside of the policy is not moved out, and a row outside is neither changed nor moved in', async () => {
    const [inside, outside] = [await german(), await french()];
    const out = await send('writer', 'PUT', `g_Account/${inside}`, { country: 'FR', name: 'b' });
    expect([out.status, out.json()]).toEqual(refusal('g_Account', inside, 'update'));
    for (const body of [{ country: 'DE' }, { name: 'b' }]) {
      const refused = await send('writer', 'PUT', `g_Account/${outside}`, body);
      expect([refused.status, refused.json()]).toEqual(refusal('g_Account', outside, 'update'));
    }
    expect([await stored(inside), await stored(outside)]).toEqual([
      [{ name: 'a', country: 'DE', version: 1, live: true }],
      [{ name: 'a', country: 'FR', version: 1, live: true }],
    ]);
    expect((await send('writer', 'PUT', `g_Account/${inside}`, { name: 'b' })).status).toBe(200);
    // Without changes nothing is refused.
    expect((await send('writer', 'PUT', `g_Account/${outside}`, { name: 'a' })).status).toBe(200);
  });

  // Asserts contract/decisions.md#73.
  test('a row outside of the policy is not deleted', async () => {
    const [inside, outside] = [await german(), await french()];
    for (const [method, path, body] of [
      ['DELETE', `g_Account/${outside}`, undefined],
      ['DELETE', 'g_Account', [inside, outside]],
    ] as const) {
      const refused = await send('deleter', method, path, body);
      expect([refused.status, refused.json()]).toEqual(refusal('g_Account', outside, 'delete'));
    }
    expect([await stored(inside), await stored(outside)]).toMatchObject([[{ live: true }], [{ live: true }]]);
    expect((await send('deleter', 'DELETE', `g_Account/${inside}`)).status).toBe(204);
  });

  // Asserts contract/decisions.md#73.
  test('a hidden row returns 404, as if there were no policy on writing', async () => {
    const outside = await french();
    expect((await send('owner', 'PUT', `g_Account/${outside}`, { country: 'DE' })).status).toBe(404);
    expect((await send('owner', 'DELETE', `g_Account/${outside}`)).status).toBe(404);
  });

  // Asserts contract/decisions.md#73.
  test('only policies that name the action apply to it', async () => {
    const [inside, outside] = [await german(), await french()];
    expect((await send('creator', 'POST', 'g_Account', { name: 'a', country: 'FR' })).status).toBe(403);
    expect((await send('creator', 'PUT', `g_Account/${inside}`, { country: 'FR' })).status).toBe(200);
    expect((await send('creator', 'DELETE', `g_Account/${outside}`)).status).toBe(204);
    expect((await send('deleter', 'POST', 'g_Account', { name: 'a', country: 'FR' })).status).toBe(201);
  });

  test('policies on writing hide nothing', async () => {
    const outside = await french();
    expect((await send('writer', 'GET', `g_Account/${outside}`)).status).toBe(200);
    expect((await send('writer', 'GET', 'g_Account?limit=1')).json()).toHaveLength(1);
  });

  // Asserts contract/decisions.md#73.
  test('a policy on an entity applies to its descendants', async () => {
    const id = crypto.randomUUID();
    for (const path of ['g_Savings', 'g_Account']) {
      const body = { id, _entityName: 'g_Savings', name: 's', country: 'FR', term: 1 };
      const refused = await send('writer', 'POST', path, body);
      expect([refused.status, refused.json()]).toEqual(refusal('g_Savings', id, 'create'));
    }
    const inside = await make('g_Savings', { name: 's', country: 'DE' });
    expect((await send('writer', 'PUT', `g_Account/${inside}`, { country: 'FR' })).status).toBe(403);
    expect((await send('writer', 'PUT', `g_Account/${inside}`, { name: 't' })).status).toBe(200);
  });

  // Asserts contract/decisions.md#73.
  test('a policy with joins is evaluated on the state at the end of the write, children included', async () => {
    expect((await send('booker', 'POST', 'g_Account', { name: 'a' })).status).toBe(403);
    const response = await send('booker', 'POST', 'g_Account', { name: 'a', entries: [{ amount: 1 }] });
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    const { id } = response.json();
    expect((await send('booker', 'PUT', `g_Account/${id}`, { name: 'b', entries: [] })).status).toBe(403);
    expect((await send('booker', 'PUT', `g_Account/${id}`, { name: 'b' })).status).toBe(200);
  });

  // Asserts contract/decisions.md#73.
  test('values set by listeners before the write are checked, changes by listeners after it are not', async () => {
    expect((await send('writer', 'POST', 'g_Account', { name: 'emigrant', country: 'DE' })).status).toBe(403);
    const response = await send('writer', 'POST', 'g_Account', { name: 'later', country: 'DE' });
    expect(response.status).toBe(201);
    expect(await stored(response.json().id)).toMatchObject([{ name: 'moved', country: 'FR' }]);
  });

  describe('of a composition', () => {
    const entries = (account: string) =>
      data.query<{ id: string; amount: number }>(
        'SELECT id, amount FROM g.entry WHERE account_id = $1 ORDER BY amount',
        [account],
      );
    const make2 = () => make('g_Account', { name: 'a', country: 'DE', entries: [{ amount: 1 }, { amount: 500 }] });

    // Asserts contract/decisions.md#73.
    test.each(['clerk', 'coder'])('children are created within the policy: %s', async (user) => {
      const id = crypto.randomUUID();
      const body = { name: 'a', entries: [{ amount: 1 }, { id, amount: 101 }] };
      const refused = await send(user, 'POST', 'g_Account', body);
      expect([refused.status, refused.json()]).toEqual(refusal('g_Entry', id, 'create'));
      expect((await send(user, 'POST', 'g_Account', { name: 'a', entries: [{ amount: 100 }] })).status).toBe(201);
    });

    // Asserts contract/decisions.md#73.
    test('children are changed only within the policy, before and after the change', async () => {
      const account = await make2();
      const [small, large] = await entries(account);
      const change = (amounts: readonly number[]) =>
        send('clerk', 'PUT', `g_Account/${account}`, {
          entries: [small, large].map((entry, at) => ({ id: entry?.id, amount: amounts[at] })),
        });
      const raised = await change([101, 500]);
      expect([raised.status, raised.json()]).toEqual(refusal('g_Entry', small?.id, 'update'));
      const lowered = await change([1, 5]);
      expect([lowered.status, lowered.json()]).toEqual(refusal('g_Entry', large?.id, 'update'));
      expect(await entries(account)).toEqual([small, large]);
      expect((await change([2, 500])).status).toBe(200);
    });

    // Asserts contract/decisions.md#73.
    test('children are removed by an update only within the policy; deleting the owner deletes all', async () => {
      const account = await make2();
      const [small, large] = await entries(account);
      const refused = await send('clerk', 'PUT', `g_Account/${account}`, { entries: [{ id: small?.id }] });
      expect([refused.status, refused.json()]).toEqual(refusal('g_Entry', large?.id, 'delete'));
      expect((await send('clerk', 'PUT', `g_Account/${account}`, { entries: [{ id: large?.id }] })).status).toBe(200);
      expect((await send('clerk', 'DELETE', `g_Entry/${large?.id}`)).status).toBe(403);
      expect((await send('clerk', 'DELETE', `g_Account/${account}`)).status).toBe(204);
    });
  });

  // Asserts contract/decisions.md#73.
  test('instances with composite keys are checked like others', async () => {
    const rate = (currency: string, rate = 1) => ({ id: { currency, day: '2026-01-01' }, rate });
    expect((await send('clerk', 'POST', 'g_Rate', [rate('EUR'), rate('USD')])).status).toBe(403);
    expect((await send('clerk', 'POST', 'g_Rate', [rate('EUR')])).status).toBe(201);
    await make('g_Rate', rate('USD'));
    expect((await send('clerk', 'PUT', 'g_Rate', [rate('EUR', 2)])).status).toBe(200);
    const keys = ['EUR', 'USD'].map((currency) => rate(currency).id);
    expect((await send('clerk', 'DELETE', 'g_Rate', keys)).status).toBe(403);
    expect((await send('clerk', 'DELETE', 'g_Rate', keys.slice(0, 1))).status).toBe(204);
  });

  // Asserts contract/decisions.md#73.
  test('a deleted child is not restored if there is a condition on updating', async () => {
    const [id, name] = [crypto.randomUUID(), 'a'];
    const account = await make('g_Account', { name, notes: [{ id, text: 'x' }] });
    const put = (user: string, notes: readonly unknown[]) => send(user, 'PUT', `g_Account/${account}`, { notes });
    expect((await put('admin', [])).status).toBe(200);
    const refused = await put('noter', [{ id, text: 'x' }]);
    expect([refused.status, refused.json()]).toEqual(refusal('g_Note', id, 'update'));
    expect((await put('admin', [{ id, text: 'x' }])).status).toBe(200);
    expect((await put('noter', [{ id, text: 'y' }])).status).toBe(200);
  });

  describe('of many rows', () => {
    const sizes = [2, 100];

    // Asserts contract/decisions.md#73.
    test('a batch of a hundred has the same number of statements as one of two, and a refusal in it stores nothing', async () => {
      const numbers = { create: [] as number[], update: [] as number[], delete: [] as number[] };
      for (const size of sizes) {
        const rows = Array.from({ length: size }, () => ({ id: crypto.randomUUID(), name: 'a', country: 'DE' }));
        numbers.create.push(await counted('writer', 'POST', 'g_Account', rows));
        numbers.update.push(
          await counted(
            'writer',
            'PUT',
            'g_Account',
            rows.map(({ id }) => ({ id, name: 'b' })),
          ),
        );
        numbers.delete.push(
          await counted(
            'writer',
            'DELETE',
            'g_Account',
            rows.map(({ id }) => id),
          ),
        );
      }
      for (const [few, many] of Object.values(numbers)) expect(many).toBe(few);
      const before = await accounts();
      const rows = Array.from({ length: 100 }, (_, at) => ({ name: 'a', country: at === 70 ? 'FR' : 'DE' }));
      expect((await send('writer', 'POST', 'g_Account', rows)).status).toBe(403);
      expect(await accounts()).toEqual(before);
    });

    // Asserts contract/decisions.md#73.
    test.each(['clerk', 'coder'])('children, composite keys and predicates: the same for %s', async (user) => {
      const numbers = [];
      for (const size of sizes) {
        const entries = Array.from({ length: size }, (_, at) => ({ id: crypto.randomUUID(), amount: at }));
        const id = crypto.randomUUID();
        const created = await counted(user, 'POST', 'g_Account', { id, name: 'a', entries });
        const changed = entries.map((entry) => ({ ...entry, text: 'x' }));
        const updated = await counted(user, 'PUT', `g_Account/${id}`, { entries: changed });
        const removed = await counted(user, 'PUT', `g_Account/${id}`, { entries: [] });
        const rates = Array.from({ length: size }, (_, at) => ({
          id: { currency: 'EUR', day: `20${10 + (at % 80)}-01-0${1 + Math.floor(at / 80)}` },
          rate: size,
        }));
        const rated = await counted(user, 'POST', 'g_Rate', rates);
        for (const one of rates) await send('admin', 'DELETE', 'g_Rate', [one.id]);
        numbers.push([created, updated, removed, rated]);
      }
      const [few, many] = numbers;
      // The response needs one statement per composite key for the instance names.
      expect(many?.slice(0, 3)).toEqual(few?.slice(0, 3));
      expect((many?.[3] ?? 0) - (few?.[3] ?? 0)).toBe(98);
    });

    // Asserts contract/decisions.md#73.
    test('policies that do not apply to the write need no further statement', async () => {
      const body = () => [{ name: 'a', country: 'DE', entries: [{ amount: 1 }] }];
      const free = await counted('admin', 'POST', 'g_Account', body());
      expect(await counted('deleter', 'POST', 'g_Account', body())).toBe(free);
      expect(await counted('writer', 'POST', 'g_Account', body())).toBe(free + 1);
      expect(await counted('clerk', 'POST', 'g_Account', body())).toBe(free + 1);
    });
  });

  describe('in code of the application', () => {
    const call = (user: string, method: string, body: unknown) =>
      data.send(user, 'POST', `/services/g_Bank/${method}`, body);

    // Asserts contract/decisions.md#73.
    test('apply to writes with the rights of the caller', async () => {
      const before = await accounts();
      const created = await call('writer', 'create', { country: 'FR' });
      expect([created.status, created.json().error]).toEqual([403, 'Forbidden']);
      expect((await call('writer', 'both', { country: 'FR' })).status).toBe(403);
      expect(await accounts()).toEqual(before);
      const [inside, outside] = [await german(), await french()];
      expect((await call('writer', 'move', { id: inside, country: 'FR' })).status).toBe(403);
      expect((await call('writer', 'move', { id: outside, country: 'DE' })).status).toBe(403);
      expect((await call('writer', 'remove', { id: outside })).status).toBe(403);
      expect((await call('writer', 'move', { id: inside, country: 'DE' })).status).toBe(204);
    });

    // Asserts contract/decisions.md#73.
    test('do not apply to writes without the rights of the caller', async () => {
      expect((await call('writer', 'createAsSystem', { country: 'FR' })).status).toBe(200);
    });
  });
});

describe.each(['compatible', 'hardened'])('policies on reading in the %s profile', (profile) => {
  beforeAll(start(profile));
  afterAll(() => data.close());
  const isHardened = profile === 'hardened';

  // Asserts contract/decisions.md#73.
  test('apply to creations only in the hardened profile', async () => {
    const before = await accounts();
    const body = { id: crypto.randomUUID(), name: 'a', country: 'FR' };
    const response = await send('reader', 'POST', 'g_Account', body);
    if (isHardened) {
      expect([response.status, response.json()]).toEqual(refusal('g_Account', body.id, 'create'));
      expect(await accounts()).toEqual(before);
    } else expect(response.status).toBe(201);
    expect((await send('reader', 'POST', 'g_Account', { name: 'a', country: 'DE' })).status).toBe(201);
  });

  // Asserts contract/decisions.md#73.
  test('apply to moves into a hidden part only in the hardened profile', async () => {
    const id = await german();
    const response = await send('reader', 'PUT', `g_Account/${id}`, { country: 'FR' });
    if (isHardened) expect([response.status, response.json()]).toEqual(refusal('g_Account', id, 'update'));
    else expect(response.status).toBe(200);
    expect(await stored(id)).toMatchObject([{ country: isHardened ? 'DE' : 'FR' }]);
  });

  // Asserts contract/decisions.md#73.
  test('apply to predicates and children in the same way', async () => {
    const body = { name: 'a', entries: [{ amount: 5 }, { amount: 101 }] };
    expect((await send('selective', 'POST', 'g_Account', body)).status).toBe(isHardened ? 403 : 201);
    expect((await send('selective', 'POST', 'g_Account', { name: 'a', entries: [{ amount: 5 }] })).status).toBe(201);
  });

  test('permit deleting a visible row', async () => {
    expect((await send('reader', 'DELETE', `g_Account/${await german()}`)).status).toBe(204);
    expect((await send('reader', 'DELETE', `g_Account/${await french()}`)).status).toBe(404);
  });

  // Asserts contract/decisions.md#73.
  test('need one statement for each of their entities if they apply', async () => {
    const body = () => ({ name: 'a', country: 'DE', entries: [{ amount: 1 }] });
    const free = await counted('admin', 'POST', 'g_Account', body());
    // If rows may be hidden, the response is read by a separate statement.
    expect(await counted('reader', 'POST', 'g_Account', body())).toBe(free + (isHardened ? 2 : 1));
  });
});
