import { type Application, defineApplication } from '@lintel/application';
import {
  type AttributeBuilder,
  decimal,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  offsetDateTime,
  string,
  textForm,
  toMany,
  toOne,
  uuid,
} from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { startDataOn } from '../data-fixture.ts';

// Keys of which PostgreSQL compares different texts as equal (contract/decisions.md#85).

/** A value of a key: the form that is shown, and others of the same value. */
interface Forms {
  readonly shown: string | number;
  readonly others: readonly string[];
}

interface KeyType {
  readonly column: string;
  readonly attribute: () => AttributeBuilder<unknown>;
  readonly forms: fc.Arbitrary<Forms>;
}

const letters = (alphabet: string, maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength }).map((list) => list.join(''));
const pad = (value: number, length = 2) => String(value).padStart(length, '0');

const text = letters('abC 9ü', 8)
  .map((one) => `x${one}`.trimEnd())
  .map((shown) => ({ shown, others: [`${shown} `, shown.padEnd(10), `${shown}${' '.repeat(12)}`] }));
const caseless = letters('abcdßäöü-9', 8).map((shown) => ({
  shown,
  others: [
    shown.replace(/[a-zäöü]/g, (one) => one.toUpperCase()),
    shown[0]?.replace(/[a-z]/, (one) => one.toUpperCase()) + shown.slice(1),
  ],
}));
const cents = fc.integer({ min: -99_999, max: 99_999 }).map((all) => {
  const shown = (all / 100).toFixed(2);
  return { shown, others: [String(all / 100), `${shown}000`, `${all}e-2`, shown.replace(/^(-?)/, '$100')] };
});
const number = fc.integer({ min: -99_999, max: 99_999 }).map((all) => {
  const shown = String(all / 100);
  return { shown, others: [(all / 100).toFixed(4), `${all}e-2`] };
});
const uuids = fc.uuid().map((shown) => ({
  shown,
  others: [shown.toUpperCase(), shown.replaceAll('-', ''), `{${shown}}`],
}));
const date = fc.date({
  min: new Date('0100-01-01T00:00:00Z'),
  max: new Date('9000-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const instants = date.map((one) => {
  const shown = one.toISOString();
  const later = new Date(one.getTime() + 5_400_000).toISOString();
  return {
    shown,
    others: [later.replace('Z', '+01:30'), later.replace('Z', '+0130').toLowerCase(), shown.replace('Z', '000Z')],
  };
});
const micros = instants.map(({ shown, others }) => ({
  shown: String(shown).replace('Z', '000Z'),
  others: [String(shown), ...others],
}));
const locals = date.map((one) => {
  const shown = one.toISOString().slice(0, -1);
  return { shown, others: [`${shown}00`, shown.replace('T', 't')] };
});
const dates = date.map((one) => {
  const shown = one.toISOString().slice(0, 10);
  return { shown, others: [`${shown}Z`, `${shown}+02:00`] };
});
const times = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => {
  const shown = `${pad(hour)}:${pad(minute)}:00`;
  return { shown, others: [shown.slice(0, 5), `${shown}.000`] };
});
const whole = fc.integer({ min: 0, max: 30_000 }).map((shown) => ({ shown, others: [`00${shown}`] }));

const TYPES: Readonly<Record<string, KeyType>> = {
  Char: { column: 'char(10)', attribute: () => string(10).storedAs('character(10)'), forms: text },
  Citext: { column: 'citext', attribute: () => textForm('public.citext'), forms: caseless },
  Cents: { column: 'numeric(8,2)', attribute: () => decimal(8, 2), forms: cents },
  Number: { column: 'numeric', attribute: () => decimal(38, 10).storedAs('numeric'), forms: number },
  Uuid: { column: 'uuid', attribute: () => uuid(), forms: uuids },
  Instant: {
    column: 'timestamptz(3)',
    attribute: () => offsetDateTime().storedAs('timestamp(3) with time zone'),
    forms: instants,
  },
  Micros: {
    column: 'timestamptz',
    attribute: () => offsetDateTime().microseconds().storedAs('timestamp with time zone'),
    forms: micros,
  },
  Local: { column: 'timestamp(3)', attribute: () => localDateTime(), forms: locals },
  Date: { column: 'date', attribute: () => localDate(), forms: dates },
  Time: { column: 'time(0)', attribute: () => localTime(), forms: times },
  Whole: { column: 'integer', attribute: () => integer(), forms: whole },
  Long: { column: 'bigint', attribute: () => long(), forms: whole },
};

/** Parts of the composite key. */
const PARTS = ['Char', 'Citext', 'Cents', 'Uuid', 'Instant'] as const;

const table = (name: string) => ({ schema: 'public', name: name.toLowerCase() });

const TABLES = Object.entries(TYPES)
  .map(
    ([
      name,
      { column },
    ]) => `CREATE TABLE ${table(name).name}_key (code ${column} PRIMARY KEY, note text, other ${column});
      CREATE TABLE ${table(name).name}_use (id integer PRIMARY KEY, code ${column} REFERENCES ${table(name).name}_key);`,
  )
  .join('\n');
const columns = PARTS.map((part) => `${part.toLowerCase()}`).join(', ');
const COMPOSITE = `CREATE TABLE many_key (${PARTS.map((part) => `${part.toLowerCase()} ${TYPES[part]?.column}`).join(', ')}, note text,
    PRIMARY KEY (${columns}));
  CREATE TABLE many_use (id integer PRIMARY KEY, ${PARTS.map((part) => `${part.toLowerCase()} ${TYPES[part]?.column}`).join(', ')},
    FOREIGN KEY (${columns}) REFERENCES many_key);`;

const application: Application = defineApplication({
  id: 'e',
  name: 'Equal keys',
  entities: [
    ...Object.entries(TYPES).flatMap(([name, { attribute }]) => [
      keyedEntity(`e_${name}`, {
        key: 'code',
        table: table(`${name}_key`),
        attributes: { code: attribute(), note: string(), other: attribute(), uses: toMany(`e_${name}Use`, 'target') },
      }),
      keyedEntity(`e_${name}Use`, {
        key: 'id',
        table: table(`${name}_use`),
        attributes: { id: integer(), target: toOne(`e_${name}`).column('code') },
      }),
    ]),
    embeddable('e_ManyKey', {
      attributes: Object.fromEntries(
        PARTS.map((part) => [part.toLowerCase(), (TYPES[part] as KeyType).attribute().mandatory()]),
      ),
    }),
    keyedEntity('e_Many', {
      key: 'id',
      table: table('many_key'),
      attributes: { id: embedded('e_ManyKey').columnPrefix(''), note: string(), uses: toMany('e_ManyUse', 'target') },
    }),
    keyedEntity('e_ManyUse', {
      key: 'id',
      table: table('many_use'),
      attributes: { id: integer(), target: toOne('e_Many').column(...PARTS.map((part) => part.toLowerCase())) },
    }),
  ],
});

let database: TestDatabase;
let data: Awaited<ReturnType<typeof startDataOn>>;
beforeAll(async () => {
  database = await createTestDatabase('equal_keys');
  await database.query(`CREATE EXTENSION citext;
    CREATE FUNCTION explained(statement text) RETURNS SETOF text LANGUAGE plpgsql SET enable_seqscan = off AS
      $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (GENERIC_PLAN) ' || statement; END $$;
    ${TABLES}${COMPOSITE}`);
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(async () => {
  await data.close();
  await database.drop();
});

const send = async (expected: number, method: string, path: string, body?: unknown, headers = {}) => {
  const response = await data.send('ada', method, path, body, { 'content-type': 'application/json', ...headers });
  expect([response.status, response.text]).toEqual([expected, response.text]);
  return response;
};

/** An id in the form of a body, and the one of a path. */
interface Id {
  readonly body: unknown;
  readonly path: string;
}

const single = (body: string | number): Id => ({ body, path: encodeURIComponent(String(body)) });

const composite = (parts: Readonly<Record<string, unknown>>): Id => ({
  body: parts,
  path: Buffer.from(JSON.stringify(parts)).toString('base64url'),
});

/** The form that is shown, and others, of one key. */
interface Keys {
  readonly shown: Id;
  readonly others: readonly Id[];
}

const keysOf = ({ shown, others }: Forms): Keys => ({ shown: single(shown), others: others.map(single) });

/** In JSON, a part of a composite id that is a decimal number is a number. */
const shownPart = (part: string, { shown }: Forms) => (part === 'Cents' ? Number(shown) : shown);

const compositeKeys = fc.tuple(...PARTS.map((part) => (TYPES[part] as KeyType).forms)).map((forms): Keys => {
  const of = (formOf: (form: Forms, part: string) => unknown) =>
    composite(Object.fromEntries(PARTS.map((part, at) => [part.toLowerCase(), formOf(forms[at] as Forms, part)])));
  return {
    shown: of((form, part) => shownPart(part, form)),
    others: [0, 1].map((at) => of(({ others }) => others[at])),
  };
});

/** Everything that names an instance by its id, each time by another form. */
async function useAllForms(entity: string, { shown, others }: Keys): Promise<void> {
  const all = [shown, ...others];
  const at = (index: number): Id => all[index % all.length] as Id;
  const paths = (index: number) => `/entities/${entity}/${at(index).path}`;
  await data.query('DELETE FROM events.outbox');

  const created = await send(201, 'POST', `/entities/${entity}`, { id: at(1).body, note: 'a' });
  expect(created.json()).toMatchObject({ id: shown.body });
  const location = created.headers.get('location') ?? '';
  expect((await send(200, 'GET', location.replace(/^.*\/rest/, ''))).json()).toMatchObject({ id: shown.body });
  for (const other of others) await send(409, 'POST', `/entities/${entity}`, { id: other.body, note: 'b' });

  const tags = new Set<string | null>();
  for (const { path } of all) {
    const found = await send(200, 'GET', `/entities/${entity}/${path}`);
    expect(found.json()).toMatchObject({ id: shown.body, note: 'a' });
    tags.add(found.headers.get('etag'));
  }
  expect(tags.size).toBe(1);
  const ifMatch = { 'if-match': [...tags][0] ?? '' };

  expect((await send(200, 'PUT', paths(2), { note: 'b' }, ifMatch)).json()).toMatchObject({ id: shown.body });
  expect((await send(200, 'PUT', paths(3), { id: at(1).body, note: 'c' })).json()).toMatchObject({ id: shown.body });
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect((await send(200, 'PATCH', paths(1), { note: 'd' }, merge)).json()).toMatchObject({ id: shown.body });
  const patch = { 'content-type': 'application/json-patch+json' };
  await send(200, 'PATCH', paths(2), [{ op: 'replace', path: '/note', value: 'e' }], patch);
  const [batch] = (await send(200, 'PUT', `/entities/${entity}`, [{ id: at(2).body, note: 'f' }])).json();
  expect(batch).toMatchObject({ id: shown.body });
  await send(400, 'PUT', `/entities/${entity}`, [{ id: at(0).body }, { id: at(1).body }]);

  const uses = `/entities/${entity}Use`;
  await send(201, 'POST', uses, [
    { id: 1, target: { id: at(1).body } },
    { id: 2, target: { id: at(2).body } },
  ]);
  const plan = { entity: `${entity}Use`, properties: [{ name: 'target', fetchPlan: '_base' }] };
  for (const { body } of all) {
    const filter = { conditions: [{ property: 'target', operator: '=', value: body }] };
    const found = (await send(200, 'POST', `${uses}/search`, { filter, fetchPlan: plan, sort: 'id' })).json();
    expect(found).toMatchObject([
      { id: 1, target: { id: shown.body, note: 'f' } },
      { id: 2, target: { id: shown.body } },
    ]);
    const among = { conditions: [{ property: 'target', operator: 'in', value: [body] }] };
    expect((await send(200, 'POST', `${uses}/search`, { filter: among })).json()).toHaveLength(2);
  }
  const same = await send(200, 'PUT', `${uses}/1`, { target: { id: at(2).body } });
  expect(same.json()).toMatchObject({ id: 1 });
  await send(200, 'PATCH', paths(1), [{ op: 'remove', path: `/uses/1` }], patch);
  await send(204, 'DELETE', `${uses}/1`);
  await send(204, 'DELETE', `${uses}/2`);

  await send(204, 'DELETE', `/entities/${entity}`, [at(2).body]);
  for (const { path } of all) await send(404, 'GET', `/entities/${entity}/${path}`);
  const events = await data.query<{ id: unknown }>(
    `SELECT envelope->'data'->'id' AS id FROM events.outbox WHERE envelope->'data'->>'entity' = '${entity}'`,
  );
  expect(events.length).toBeGreaterThan(2);
  expect(new Set(events.map(({ id }) => JSON.stringify(id))).size).toBe(1);
}

describe.each(Object.entries(TYPES))('%s', (name, { forms }) => {
  // Asserts contract/decisions.md#85, contract/instances.md#ids.
  test('an instance is created, read, changed, referred to and deleted by any form of its id, and has one', async () => {
    await fc.assert(
      fc.asyncProperty(forms, (one) => useAllForms(`e_${name}`, keysOf(one))),
      cases(4),
    );
  });

  // Asserts contract/decisions.md#85, contract/instances.md#ids.
  test('pages continue after a key, and a read is one statement that uses the index', async () => {
    const rows =
      fc.sample(fc.uniqueArray(forms, { minLength: 3, maxLength: 3, selector: ({ shown }) => shown }), 1)[0] ?? [];
    const entity = `e_${name}`;
    for (const [at, { shown, others }] of rows.entries())
      await send(201, 'POST', `/entities/${entity}`, { id: others[at % others.length] ?? shown });
    const seen: unknown[] = [];
    let path: string | undefined = `/entities/${entity}?sort=code&limit=1`;
    while (path !== undefined) {
      const page = await send(200, 'GET', path);
      seen.push(...page.json().map(({ id }: { id: unknown }) => id));
      path = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.replace(/^.*\/rest/, '');
    }
    expect(new Set(seen)).toEqual(new Set(rows.map(({ shown }) => shown)));
    expect(seen).toHaveLength(3);

    data.otherStatements.length = 0;
    await send(200, 'GET', `/entities/${entity}/${single(rows[0]?.others[0] ?? '').path}`);
    const reads = data.otherStatements.filter((statement) => statement.includes(`"${name.toLowerCase()}_key"`));
    expect(reads).toHaveLength(1);
    data.statements.length = 0;
    await send(200, 'PUT', `/entities/${entity}/${single(rows[0]?.others[0] ?? '').path}`, { note: 'x' });
    const locks = data.statements.filter((statement) => statement.includes('FOR '));
    for (const statement of [...reads, ...locks]) {
      const lines = await data.query<{ explained: string }>(
        `SELECT explained(${"'"}${statement.replaceAll("'", "''")}${"'"})`,
      );
      const plan = lines.map(({ explained }) => explained).join('\n');
      expect(plan).toMatch(/Index Cond: \(code = /);
    }
    await data.query(`DELETE FROM ${name.toLowerCase()}_key`);
  });
});

// Asserts contract/decisions.md#85, contract/instances.md#ids.
test('a composite key of such parts', async () => {
  await fc.assert(
    fc.asyncProperty(compositeKeys, (keys) => useAllForms('e_Many', keys)),
    cases(4),
  );
});

// Asserts contract/decisions.md#85, contract/instances.md#ids.
test('the key has the same form under its own name; other attributes are shown as they are stored', async () => {
  const created = await send(201, 'POST', '/entities/e_Citext', { code: 'Ada', other: 'Ada' });
  expect(created.json()).toMatchObject({ id: 'ada' });
  const found = (await send(200, 'GET', '/entities/e_Citext/ADA?fetchPlan=_local')).json();
  expect(found).toMatchObject({ id: 'ada', code: 'ada', other: 'Ada', _instanceName: 'e_Citext-ada' });
  await send(201, 'POST', '/entities/e_Char', { code: 'C1   ', other: 'D2   ' });
  expect((await send(200, 'GET', '/entities/e_Char/C1%20?fetchPlan=_local')).json()).toMatchObject({
    id: 'C1',
    code: 'C1',
    other: 'D2',
    _instanceName: 'e_Char-C1',
  });
  const filter = { conditions: [{ property: 'other', operator: '=', value: 'D2 ' }] };
  expect((await send(200, 'POST', '/entities/e_Char/search', { filter })).json()).toHaveLength(1);
  const ends = { conditions: [{ property: 'other', operator: 'endsWith', value: '2' }] };
  expect((await send(200, 'POST', '/entities/e_Char/search', { filter: ends })).json()).toHaveLength(1);
});

test.each([
  ['Char', 'Q 1x', 'Q 1x', 'Q 1x  '],
  ['Citext', 'Zzq', 'zzq', 'ZZQ'],
])(
  'dynamic attributes of a %s key are found by each form, as owner and as target',
  async (name, stored, shown, other) => {
    await database.query(`INSERT INTO ${name.toLowerCase()}_key VALUES ($1)`, [stored]);
    await database.query(`INSERT INTO ${name.toLowerCase()}_use VALUES (900001, $1)`, [stored]);
    const define = (entityType: string, attribute: object) =>
      send(201, 'POST', '/entities/dynat_Category', {
        ...{ name: entityType, entityType },
        categoryAttrs: [{ categoryEntityType: entityType, name: 'x', ...attribute }],
      });
    await define(`e_${name}`, { code: 'colour', dataType: 'STRING' });
    await define(`e_${name}Use`, { code: 'best', dataType: 'ENTITY', entityClass: `e_${name}` });
    await send(200, 'PUT', `/entities/e_${name}/${encodeURIComponent(other)}`, { '+colour': 'red' });
    const read = await send(200, 'GET', `/entities/e_${name}/${encodeURIComponent(stored)}?dynamicAttributes=true`);
    expect(read.json()['+colour']).toBe('red');
    await send(200, 'PUT', `/entities/e_${name}Use/900001`, { '+best': { id: other } });
    const use = await send(200, 'GET', `/entities/e_${name}Use/900001?dynamicAttributes=true`);
    expect(use.json()['+best']).toMatchObject({ id: shown });
    await send(200, 'PUT', `/entities/e_${name}/${encodeURIComponent(stored)}`, { '+colour': null });
    expect(
      (await send(200, 'GET', `/entities/e_${name}/${encodeURIComponent(other)}?dynamicAttributes=true`)).json(),
    ).not.toHaveProperty('+colour');
  },
);
