import { defineApplication } from '@lintel/application';
import {
  boolean,
  compositionOfOne,
  embeddable,
  embedded,
  softDeletedEntity,
  standardEntity,
  string,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, queryPolicy, resourceRole, rowLevelRole } from '@lintel/security';
import { type DataFixture, startData } from '../../data-fixture.ts';

/** Every kind of 1:1 reference: optional, mandatory, of soft-deleted rows, within one entity, a composition. */
const application = defineApplication({
  id: 'o',
  name: 'One to one',
  entities: [
    standardEntity('o_Person', {
      attributes: {
        name: string(20).mandatory(),
        travels: boolean(),
        passport: toOneInverse('o_Passport', 'person'),
        desk: toOneInverse('o_Desk', 'person'),
        badge: toOneInverse('o_Badge', 'person'),
        mentor: toOne('o_Person').unique(),
        mentee: toOneInverse('o_Person', 'mentor'),
      },
      instanceName: ['name'],
      rules: [
        {
          message: 'Who travels needs a passport',
          dependsOn: ['travels', 'passport'],
          test: ({ travels, passport }) => travels !== true || (passport as { code?: string } | null)?.code != null,
        },
      ],
    }),
    standardEntity('o_Passport', {
      attributes: {
        code: string(20).mandatory(),
        hidden: boolean().default(false),
        person: toOne('o_Person').unique(),
        cover: compositionOfOne('o_Cover'),
      },
      instanceName: ['{code}', ' of ', '{person}'],
    }),
    standardEntity('o_Cover', { attributes: { colour: string(10), passport: toOneInverse('o_Passport', 'cover') } }),
    standardEntity('o_Desk', {
      attributes: { code: string(20).mandatory(), person: toOne('o_Person').mandatory().unique() },
    }),
    softDeletedEntity('o_Badge', { attributes: { code: string(20), person: toOne('o_Person').unique() } }),
    embeddable('o_Site', { attributes: { city: string(20), keeper: toOne('o_Person').unique() } }),
    standardEntity('o_House', { attributes: { site: embedded('o_Site') } }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('o_Person', 'read', 'update'),
        entityPolicy('o_Passport', 'read'),
        modifyAttributes('o_Person', 'name', 'passport'),
      ],
    }),
    resourceRole('registrar', {
      name: 'Registrar',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('o_Person', 'read', 'update'),
        entityPolicy('o_Passport', 'read', 'update'),
        modifyAttributes('o_Person', 'name'),
        modifyAttributes('o_Passport', '*'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('no-secrets', { name: 'No secrets', policies: [queryPolicy('o_Passport', '{E}.hidden = false')] }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, {
    admin: { resourceRoles: ['system-full-access'] },
    modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-secrets'] },
    clerk: { resourceRoles: ['clerk'] },
    registrar: { resourceRoles: ['registrar'] },
  });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body);
async function create(entity: string, body: object): Promise<string> {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
}
let number = 0;
const next = (): string => `c${++number}`;
const person = (values: object = {}) => create('o_Person', { name: next(), ...values });
const passport = (owner: string | null, values: object = {}) =>
  create('o_Passport', { code: next(), person: owner === null ? null : { id: owner }, ...values });
const to = (id: string) => ({ id });

const planOf = (entity: string, ...properties: readonly unknown[]): string =>
  `fetchPlan=${encodeURIComponent(JSON.stringify({ entity, properties }))}`;
const PLAN = planOf('o_Person', 'name', { name: 'passport', fetchPlan: { properties: ['code'] } }, 'badge', 'mentee');
/** Ids of the other ends of a person's references, by attribute. */
async function shown(id: string, user = 'admin') {
  const { passport: one, badge, mentee } = (await send('GET', `o_Person/${id}?${PLAN}`, undefined, user)).json();
  return { passport: one?.id, badge: badge?.id, mentee: mentee?.id };
}
const passportOf = async (id: string): Promise<string | undefined> => (await shown(id)).passport;
const ownersOf = async (...ids: readonly string[]): Promise<readonly (string | null)[]> => {
  const rows = await data.query<{ id: string; person_id: string | null }>('SELECT id, person_id FROM o.passport');
  return ids.map((id) => rows.find((row) => row.id === id)?.person_id ?? null);
};

describe('a 1:1 association', () => {
  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('is written by id at the owning end and read from both ends', async () => {
    const anna = await person();
    const one = await passport(anna, { code: 'P-7' });
    const read = (await send('GET', `o_Person/${anna}?${PLAN}`)).json();
    expect(read.passport).toMatchObject({ _entityName: 'o_Passport', id: one, code: 'P-7' });
    expect(read.passport._instanceName).toBe(`P-7 of ${read.name}`);
    const back = (await send('GET', `o_Passport/${one}?fetchPlan=_base`)).json();
    expect(back.person).toMatchObject({ id: anna, name: read.name });
    expect((await send('GET', `o_Person/${anna}`)).json()).not.toHaveProperty('passport');
    expect((await send('PUT', `o_Passport/${one}`, { person: null })).status).toBe(200);
    expect(await passportOf(anna)).toBeUndefined();
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('can be used in filters and sort keys from the other end', async () => {
    const anna = await person();
    const code = `S-${next()}`;
    await passport(anna, { code });
    const filter = { conditions: [{ property: 'passport.code', operator: '=', value: code }] };
    const found = await send('POST', 'o_Person/search', { filter, sort: '-passport.code,name' });
    expect(found.json().map(({ id }: { id: string }) => id)).toEqual([anna]);
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('with a target that another instance refers to returns 409 and names the attribute', async () => {
    const anna = await person();
    await passport(anna);
    const refused = await send('POST', 'o_Passport', { code: 'second', person: to(anna) });
    expect([refused.status, refused.json()]).toEqual([
      409,
      { error: 'Unique constraint violation', details: 'Entity o_Passport: another instance has the same person' },
    ]);
    const free = await passport(null);
    const moved = await send('PUT', `o_Passport/${free}`, { person: to(anna) });
    expect([moved.status, moved.json().error]).toEqual([409, 'Unique constraint violation']);
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('of soft-deleted rows can be used by another row', async () => {
    const anna = await person();
    const first = await create('o_Badge', { code: next(), person: to(anna) });
    expect((await send('POST', 'o_Badge', { person: to(anna) })).status).toBe(409);
    expect((await send('DELETE', `o_Badge/${first}`)).status).toBe(204);
    expect((await shown(anna)).badge).toBeUndefined();
    const second = await create('o_Badge', { code: next(), person: to(anna) });
    expect((await shown(anna)).badge).toBe(second);
  });

  test('inside an embedded attribute is unique, too', async () => {
    const anna = await person();
    await create('o_House', { site: { city: 'Ulm', keeper: to(anna) } });
    const refused = await send('POST', 'o_House', { site: { city: 'Bonn', keeper: to(anna) } });
    expect([refused.status, refused.json().details]).toEqual([
      409,
      'Entity o_House: another instance has the same site.keeper',
    ]);
  });
});

describe('a reference is moved by one request', () => {
  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('from one target to an unused one', async () => {
    const [anna, bert] = [await person(), await person()];
    const one = await passport(anna);
    expect((await send('PUT', `o_Passport/${one}`, { person: to(bert) })).status).toBe(200);
    expect([await passportOf(anna), await passportOf(bert)]).toEqual([undefined, one]);
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test.each([
    ['the former owner first', false],
    ['the new owner first', true],
  ])('from one owner to another in a batch, %s', async (_what, isReversed) => {
    const anna = await person();
    const [old, fresh] = [await passport(anna), await passport(null)];
    const batch = [
      { id: old, person: null },
      { id: fresh, person: to(anna) },
    ];
    const response = await send('PUT', 'o_Passport', isReversed ? batch.reverse() : batch);
    expect([response.status, await ownersOf(old, fresh)]).toEqual([200, [null, anna]]);
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('between two owners that exchange their targets, and along a cycle of three', async () => {
    const [anna, bert, cleo] = [await person(), await person(), await person()];
    const all = [await passport(anna), await passport(bert), await passport(cleo)] as const;
    const exchange = [
      { id: all[0], person: to(bert) },
      { id: all[1], person: to(anna) },
    ];
    expect((await send('PUT', 'o_Passport', exchange)).status).toBe(200);
    expect(await ownersOf(...all)).toEqual([bert, anna, cleo]);
    const ring = [bert, anna, cleo].map((_, at) => ({ id: all[at], person: to([anna, cleo, bert][at] as string) }));
    expect((await send('PUT', 'o_Passport', ring)).status).toBe(200);
    expect(await ownersOf(...all)).toEqual([anna, cleo, bert]);
  });

  // Asserts contract/decisions.md#70, contract/instances.md#references.
  test('along a chain of mandatory references, in any order', async () => {
    const [anna, bert, cleo] = [await person(), await person(), await person()];
    const [first, second] = [
      await create('o_Desk', { code: next(), person: to(anna) }),
      await create('o_Desk', { code: next(), person: to(bert) }),
    ];
    const chain = [
      { id: first, person: to(bert) },
      { id: second, person: to(cleo) },
    ];
    expect((await send('PUT', 'o_Desk', chain)).status).toBe(200);
    expect(await data.query('SELECT person_id FROM o.desk WHERE id = $1', [first])).toEqual([{ person_id: bert }]);
    // For a cycle of mandatory references no order of statements satisfies the unique index.
    const exchange = [
      { id: first, person: to(cleo) },
      { id: second, person: to(bert) },
    ];
    expect((await send('PUT', 'o_Desk', exchange)).status).toBe(409);
  });

  test('among instances of one entity', async () => {
    const [anna, bert, cleo] = [await person(), await person(), await person()];
    await send('PUT', `o_Person/${anna}`, { mentor: to(cleo) });
    const batch = [
      { id: bert, mentor: to(cleo) },
      { id: anna, mentor: to(bert) },
    ];
    expect((await send('PUT', 'o_Person', batch)).status).toBe(200);
    expect([(await shown(cleo)).mentee, (await shown(bert)).mentee]).toEqual([bert, anna]);
  });

  test('but not if an instance outside of the request keeps the target', async () => {
    const [anna, bert] = [await person(), await person()];
    const [one, two] = [await passport(anna), await passport(bert)];
    const third = await passport(null);
    const batch = [
      { id: one, person: to(bert) },
      { id: third, person: to(anna) },
    ];
    expect((await send('PUT', 'o_Passport', batch)).status).toBe(409);
    expect(await ownersOf(one, two, third)).toEqual([anna, bert, null]);
  });
});

describe('the other end in a body', () => {
  // Asserts contract/decisions.md#6, contract/decisions.md#70, contract/instances.md#references.
  test('moves the reference like members of a collection: the former owner loses it', async () => {
    const [anna, bert] = [await person(), await person()];
    const [one, two] = [await passport(anna), await passport(bert)];
    const put = (value: unknown) => send('PUT', `o_Person/${anna}`, { passport: value });
    expect((await put(to(two))).status).toBe(200);
    expect(await ownersOf(one, two)).toEqual([null, anna]);
    // The response of a read can be sent back as an update.
    expect((await put({ id: two, code: 'ignored' })).status).toBe(200);
    expect(await ownersOf(one, two)).toEqual([null, anna]);
    expect((await put(null)).status).toBe(200);
    expect(await ownersOf(one, two)).toEqual([null, null]);
    const cleo = await person({ passport: to(two) });
    expect(await ownersOf(one, two)).toEqual([null, cleo]);
    const rows = await data.query<{ version: number }>('SELECT version FROM o.passport WHERE id = $1', [two]);
    expect(rows[0]?.version).toBe(4);
  });

  // Asserts contract/writing.md#update.
  test('increments the version of the instance, so that of two requests for one version the second is refused', async () => {
    const [anna, one, two] = [await person(), await passport(null), await passport(null)];
    const tag = (await send('GET', `o_Person/${anna}`)).headers.get('etag') ?? '';
    const put = (value: unknown) =>
      data.send('admin', 'PUT', `/entities/o_Person/${anna}`, { passport: value }, { 'if-match': tag });
    expect((await put(null)).status).toBe(200);
    const first = await put(to(one));
    expect([first.status, first.headers.get('etag')?.startsWith('"2.')]).toEqual([200, true]);
    expect((await put(to(two))).status).toBe(412);
    expect(await ownersOf(one, two)).toEqual([anna, null]);
  });

  test('exchanges two references in one batch', async () => {
    const [anna, bert] = [await person(), await person()];
    const [one, two] = [await passport(anna), await passport(bert)];
    const batch = [
      { id: anna, passport: to(two) },
      { id: bert, passport: to(one) },
    ];
    expect((await send('PUT', 'o_Person', batch)).status).toBe(200);
    expect(await ownersOf(one, two)).toEqual([bert, anna]);
  });

  test('that does not exist, has no id or is not an object returns 400', async () => {
    const anna = await person();
    const put = async (value: unknown) => {
      const response = await send('PUT', `o_Person/${anna}`, { passport: value });
      return [response.status, response.json().error, response.json().details];
    };
    const missing = [400, 'Entity update failed', "Referenced entity for property 'passport' is missing"];
    expect(await put(to(crypto.randomUUID()))).toEqual(missing);
    expect(await put({})).toEqual(missing);
    expect((await put([to(await passport(null))])).slice(0, 2)).toEqual([400, expect.stringContaining('deserialize')]);
  });

  // Asserts contract/decisions.md#6, contract/decisions.md#70, contract/instances.md#references.
  test('cannot take a mandatory reference from an instance without giving it another target', async () => {
    const anna = await person();
    await create('o_Desk', { code: next(), person: to(anna) });
    const refused = await send('PUT', `o_Person/${anna}`, { desk: null });
    expect([refused.status, refused.json()]).toEqual([400, [expect.objectContaining({ path: 'desk.person' })]]);
  });

  test('of a composition is ignored: a child cannot change its parent', async () => {
    const [one, two] = [await passport(null, { cover: { colour: 'red' } }), await passport(null)];
    const [{ cover_id: cover }] = (await data.query('SELECT cover_id FROM o.passport WHERE id = $1', [one])) as [
      { cover_id: string },
    ];
    expect((await send('PUT', `o_Cover/${cover}`, { colour: 'blue', passport: to(two) })).status).toBe(200);
    expect((await send('GET', `o_Cover/${cover}?${planOf('o_Cover', 'colour', 'passport')}`)).json()).toMatchObject({
      colour: 'blue',
      passport: { id: one },
    });
  });
});

describe('rights', () => {
  // Asserts contract/decisions.md#6, contract/decisions.md#70, contract/instances.md#references.
  test('to move the reference are those for the owning instance', async () => {
    const anna = await person();
    const one = await passport(null);
    const refused = await send('PUT', `o_Person/${anna}`, { passport: to(one) }, 'clerk');
    expect([refused.status, refused.json().details]).toEqual([
      403,
      'resource: o_Passport, type: entity, action: update',
    ]);
    // Without the right to modify the attribute, it is ignored like any other.
    expect((await send('PUT', `o_Person/${anna}`, { passport: to(one) }, 'registrar')).status).toBe(200);
    expect(await ownersOf(one)).toEqual([null]);
    expect((await send('PUT', `o_Passport/${one}`, { person: to(anna) }, 'registrar')).status).toBe(200);
    expect(await ownersOf(one)).toEqual([anna]);
  });

  // Asserts contract/decisions.md#6, contract/decisions.md#70, contract/instances.md#references,
  // contract/writing.md#update.
  test('a hidden instance is not returned, and its reference can be neither set nor removed', async () => {
    const anna = await person();
    const secret = await passport(anna, { hidden: true });
    expect([await passportOf(anna), (await shown(anna, 'modest')).passport]).toEqual([secret, undefined]);
    expect((await send('PUT', `o_Person/${anna}`, { passport: null }, 'modest')).status).toBe(200);
    expect(await ownersOf(secret)).toEqual([anna]);
    expect((await send('GET', `o_Person/${anna}`)).json().version).toBe(1);
    const bert = await person();
    const taken = await send('PUT', `o_Person/${bert}`, { passport: to(secret) }, 'modest');
    expect([taken.status, taken.json().details]).toEqual([400, "Referenced entity for property 'passport' is missing"]);
    const conflict = await send('POST', 'o_Passport', { code: next(), person: to(anna) }, 'modest');
    expect([conflict.status, conflict.json().details]).toEqual([
      409,
      'Entity o_Passport: another instance has the same person',
    ]);
  });
});

describe('rules', () => {
  test('read the other end with its value after the save', async () => {
    const free = await passport(null);
    const refused = await send('POST', 'o_Person', { name: next(), travels: true });
    expect([refused.status, refused.json()[0]?.message]).toEqual([400, 'Who travels needs a passport']);
    const anna = await person({ travels: true, passport: to(free) });
    expect((await send('PUT', `o_Person/${anna}`, { name: next() })).status).toBe(200);
    expect((await send('PUT', `o_Person/${anna}`, { name: next(), passport: null })).status).toBe(400);
  });
});
