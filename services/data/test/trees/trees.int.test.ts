import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../data-fixture.ts';
import { sites } from './sites-application.ts';

const FULL = ['system-full-access'];
const USERS = {
  admin: { resourceRoles: FULL },
  limited: { resourceRoles: FULL, rowLevelRoles: ['shown'] },
  p2: { resourceRoles: FULL, rowLevelRoles: ['branch'] },
  near: { resourceRoles: FULL, rowLevelRoles: ['branch-by-instance'] },
  fixed: { resourceRoles: FULL, rowLevelRoles: ['branch-by-key'] },
  blind: { resourceRoles: ['without-parents'] },
};
type User = keyof typeof USERS;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(sites, USERS);
});
afterAll(() => data?.close());

interface Site {
  /** Index of the parent. */
  readonly parent: number | null;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
}

const idOf = (kind: 1 | 2, at: number): string => `0000000${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;
const text = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`);

/** Each site has one item. */
async function store(given: readonly Site[]): Promise<void> {
  await data.query('TRUNCATE l.site, l.item CASCADE');
  for (const [at, { parent, isHidden, isDeleted }] of given.entries()) {
    const name = `${isHidden ? 'hidden' : 'p'}${at}`;
    await data.query(`INSERT INTO l.site (id, version, name, parent_id, deleted_date)
      VALUES ('${idOf(1, at)}', 1, '${name}', ${text(parent === null ? null : idOf(1, parent))}, ${isDeleted ? 'now()' : 'NULL'})`);
    await data.query(
      `INSERT INTO l.item (id, version, name, site_id) VALUES ('${idOf(2, at)}', 1, 'i${at}', '${idOf(1, at)}')`,
    );
  }
}

async function found(user: User, entity: string, condition: object): Promise<readonly string[]> {
  const body = { filter: { conditions: [condition] }, sort: 'name' };
  const response = await data.send(user, 'POST', `/entities/${entity}/search`, body);
  if (response.status !== 200) throw new Error(response.text);
  return (response.json() as readonly { readonly name: string }[]).map(({ name }) => name).sort();
}

const under = (property: string, at: number) => ({ property, operator: 'under', value: idOf(1, at) });
const above = (property: string, at: number) => ({ property, operator: 'above', value: idOf(1, at) });

interface Branch {
  readonly name: string;
  readonly children?: readonly Branch[];
}
const compare = (one: string, other: string): number => (one < other ? -1 : 1);

/** The site with its children, down to a depth; undefined if the caller does not see it. */
async function shownBranch(user: User, at: number, depth: number): Promise<Branch | undefined> {
  const children = { name: 'children', sort: 'name', depth, fetchPlan: { properties: ['name'] } };
  const fetchPlan = { entity: 'l_Site', properties: ['name', children] };
  const body = { filter: { conditions: [{ property: 'id', operator: '=', value: idOf(1, at) }] }, fetchPlan };
  const response = await data.send(user, 'POST', '/entities/l_Site/search', body);
  const plain = ({ name, children: below }: Branch): Branch => ({
    name,
    ...(below !== undefined && { children: below.map(plain) }),
  });
  const [shown] = response.json() as readonly Branch[];
  return shown && plain(shown);
}

/** The site and those above it that the caller sees; nothing above a hidden one is reached. */
function lineOf(all: readonly Site[], at: number, sees: (site: Site) => boolean): readonly number[] {
  const line: number[] = [];
  for (let one: number | null = at; one !== null; one = all[one]?.parent ?? null) {
    if (!sees(all[one] as Site)) break;
    line.push(one);
  }
  return line;
}

const SITES = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(), { freq: 6 }),
      isHidden: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
      isDeleted: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) =>
    list.map(
      ({ parent, ...site }, at): Site => ({ ...site, parent: parent === null || at === 0 ? null : parent % at }),
    ),
  );

// Asserts contract/filters.md#trees.
test('branches are what a naive evaluation finds, of what the caller sees', async () => {
  const property = fc.asyncProperty(SITES, fc.nat(), async (all, seed) => {
    await store(all);
    const of = seed % all.length;
    for (const user of ['admin', 'limited'] as const) {
      const sees = ({ isHidden }: Site): boolean => user === 'admin' || !isHidden;
      const indexes = all.map((_, at) => at);
      const below = indexes.filter((at) => lineOf(all, at, sees).includes(of));
      const line = lineOf(all, of, sees);
      const names = (list: readonly number[]) => list.map((at) => `${all[at]?.isHidden ? 'hidden' : 'p'}${at}`).sort();
      const shown = (list: readonly number[]) => names(list.filter((at) => !all[at]?.isDeleted));
      expect(await found(user, 'l_Site', under('id', of))).toEqual(shown(below));
      expect(await found(user, 'l_Site', under('parent', of))).toEqual(
        shown(below.filter((at) => at !== of && lineOf(all, at, sees)[1] !== undefined)),
      );
      expect(await found(user, 'l_Site', above('id', of))).toEqual(shown(line));
      const depth = seed % 3;
      expect(await found(user, 'l_Site', { ...above('id', of), depth })).toEqual(shown(line.slice(0, depth + 1)));
      expect(await found(user, 'l_Site', { ...under('id', of), depth })).toEqual(
        shown(below.filter((at) => lineOf(all, at, sees).indexOf(of) <= depth)),
      );
      const levels = 1 + depth;
      expect(await shownBranch(user, of, levels)).toEqual(branchOf(of, levels));

      function branchOf(at: number, level: number): Branch | undefined {
        const { isHidden, isDeleted } = all[at] as Site;
        if ((isHidden && user === 'limited') || isDeleted) return undefined;
        const below = indexes.filter((child) => all[child]?.parent === at).map((child) => branchOf(child, level - 1));
        const children = below.filter((child) => child !== undefined).sort((a, b) => compare(a.name, b.name));
        return { name: `${isHidden ? 'hidden' : 'p'}${at}`, ...(level > 0 && { children }) };
      }
      // An item keeps a site that is deleted.
      expect(await found(user, 'l_Item', under('site', of))).toEqual(below.map((at) => `i${at}`).sort());
      expect(await found(user, 'l_Item', above('site.parent', of))).toEqual(
        indexes
          .filter((at) => sees(all[at] as Site) && line.includes(all[at]?.parent ?? -1))
          .map((at) => `i${at}`)
          .sort(),
      );
    }
  });
  await fc.assert(property, cases(20));
});

test('the migration creates an index of the parent and the key', async () => {
  const indexes = await data.query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'l' AND tablename = 'site'");
  expect(JSON.stringify(indexes)).toContain('(parent_id, id)');
});

/** p0 with p1 and p2; p3 below p1, p4 below p3; p5 alone. */
const SMALL: readonly Site[] = [null, 0, 0, 1, 3, null].map((parent) => ({
  parent,
  isHidden: false,
  isDeleted: false,
}));

describe('a small tree', () => {
  beforeAll(() => store(SMALL));

  // Asserts contract/filters.md#trees, contract/row-policies.md#policies.
  test('row rules have the branch of the user, and branches in subqueries', async () => {
    expect(await found('p2', 'l_Item', { property: 'name', operator: 'notEmpty' })).toEqual(['i2']);
    await data.query(`UPDATE l.site SET parent_id = '${idOf(1, 2)}' WHERE id = '${idOf(1, 1)}'`);
    expect(await found('p2', 'l_Item', { property: 'name', operator: 'notEmpty' })).toEqual(['i1', 'i2', 'i3', 'i4']);
    await data.query(`UPDATE l.site SET parent_id = '${idOf(1, 0)}' WHERE id = '${idOf(1, 1)}'`);
    expect(await found('fixed', 'l_Item', { property: 'name', operator: 'notEmpty' })).toEqual(['i1', 'i3', 'i4']);
    expect(await found('near', 'l_Site', { property: 'name', operator: 'notEmpty' })).toEqual(['p0', 'p1', 'p3', 'p4']);
  });

  // Asserts contract/filters.md#structure.
  test('a negation leaves out what is in no tree, also for an instance that is not there', async () => {
    await data.query(`INSERT INTO l.item (id, version, name) VALUES ('${idOf(2, 99)}', 1, 'i99')`);
    const no = (at: number) => ({ group: 'NOT', conditions: [under('site', at)] });
    const [some, all] = [await found('admin', 'l_Item', no(1)), await found('admin', 'l_Item', no(98))];
    await data.query(`DELETE FROM l.item WHERE id = '${idOf(2, 99)}'`);
    expect([some.includes('i99'), all.includes('i99'), all.length > some.length]).toEqual([false, false, true]);
  });

  // Asserts contract/filters.md#trees.
  test('trees are tested in groups, of members, in plans and aggregates', async () => {
    expect(await found('admin', 'l_Item', { group: 'NOT', conditions: [under('site', 1)] })).toEqual([
      'i0',
      'i2',
      'i5',
    ]);
    expect(await found('admin', 'l_Site', { some: 'children', conditions: [under('id', 3)] })).toEqual(['p1', 'p3']);
    const fetchPlan = {
      entity: 'l_Site',
      properties: [{ name: 'children', filter: { conditions: [under('id', 3)] } }],
    };
    const search = { filter: { conditions: [under('id', 1)] }, fetchPlan, sort: 'name' };
    const response = await data.send('admin', 'POST', '/entities/l_Site/search', search);
    expect(
      (response.json() as readonly { readonly children: readonly object[] }[]).map(({ children }) => children.length),
    ).toEqual([1, 1, 0]);
    const aggregates = { filter: { conditions: [under('site', 1)] }, aggregates: { n: { count: '*' } } };
    expect((await data.send('admin', 'POST', '/aggregates/l_Item', aggregates)).json()).toEqual([{ n: 3 }]);
  });

  // Asserts contract/filters.md#trees.
  test('a hidden parent is not followed, and other attributes have no branches', async () => {
    const ask = async (user: User, condition: object) => {
      const body = { filter: { conditions: [condition] } };
      const response = await data.send(user, 'POST', '/entities/l_Item/search', body);
      return { status: response.status, body: response.json() as unknown };
    };
    expect(await ask('blind', under('site', 1))).toMatchObject({
      status: 403,
      body: { details: 'Reading of the attribute l_Site.parent is forbidden' },
    });
    for (const [condition, details] of [
      [{ ...under('name', 1) }, 'Operator under is not available for java type java.lang.String'],
      [{ ...above('id', 1) }, 'Operator above is not available for java type java.util.UUID'],
      [{ ...under('site', 1), value: 'x' }, 'Cannot parse property value: x'],
      [{ property: 'site', operator: 'under' }, "Field 'value' is not defined for filter condition"],
    ] as const)
      expect(await ask('admin', condition)).toMatchObject({ status: 400, body: { details } });
  });

  // Asserts contract/filters.md#trees, contract/fetch-plans.md#children.
  test('a wrong depth is refused and named', async () => {
    const search = async (members: object, entity = 'l_Site') => {
      const response = await data.send('admin', 'POST', `/entities/${entity}/search`, members);
      return [response.status, (response.json() as { readonly details: string }).details];
    };
    for (const depth of [-1, 1.5, 101, '2', null])
      expect(await search({ filter: { conditions: [{ ...under('id', 1), depth }] } })).toEqual([
        400,
        "Field 'depth' must be a whole number from 0 to 100",
      ]);
    const plan = (item: object, entity = 'l_Site') => ({
      ...{ filter: { conditions: [] }, fetchPlan: { entity, properties: [item] } },
    });
    for (const [item, details] of [
      [{ name: 'children', depth: '' }, "children: Parameter 'depth' must be at least 1"],
      [{ name: 'children', depth: 0 }, "children: Parameter 'depth' must be at least 1"],
      [{ name: 'children', depth: -1 }, "children: Parameter 'depth' must be an integer that is not negative"],
      [{ name: 'parent', depth: 2 }, 'parent of l_Site has no children of a tree: it has no depth'],
      [{ name: 'name', depth: 2 }, 'name of l_Site has no children of a tree: it has no depth'],
    ] as const)
      expect(await search(plan(item))).toEqual([400, details]);
    expect(await search(plan({ name: 'seenAt', depth: 2 }, 'l_Item'), 'l_Item')).toEqual([
      400,
      'seenAt of l_Item has no children of a tree: it has no depth',
    ]);
    expect(await search(plan({ name: 'children', depth: 1000 }))).toEqual([400, expect.stringContaining('plan-depth')]);
  });

  // Asserts contract/metadata.md#details.
  test('the metadata names the reference to the parent', async () => {
    const response = await data.send('admin', 'GET', '/metadata/entities/l_Site?details=true');
    const { properties } = response.json() as { readonly properties: readonly { readonly tree?: true }[] };
    expect(properties.filter(({ tree }) => tree === true)).toEqual([expect.objectContaining({ name: 'parent' })]);
  });

  const move = (at: number, parent: number) =>
    data.send('admin', 'PUT', `/entities/l_Site/${idOf(1, at)}`, { parent: { id: idOf(1, parent) } });
  const cycle = (path: string) => ({
    ...{ message: 'An element of a tree cannot be below itself', path },
    ...{ messageTemplate: '{lintel.validation.TreeCycle.message}', invalidValue: expect.any(String) },
  });

  // Asserts contract/filters.md#trees, contract/writing.md#validation.
  test('a cycle is refused, of one instance and of several of a request', async () => {
    for (const [at, parent] of [
      [1, 1],
      [1, 4],
      [0, 3],
    ] as const) {
      const response = await move(at, parent);
      expect([response.status, response.json()]).toEqual([
        400,
        [
          expect.objectContaining({
            path: 'parent',
            messageTemplate: cycle('').messageTemplate,
            message: cycle('').message,
          }),
        ],
      ]);
    }
    const batch = [
      { id: idOf(1, 0), parent: { id: idOf(1, 5) } },
      { id: idOf(1, 5), parent: { id: idOf(1, 2) } },
    ];
    const response = await data.send('admin', 'PUT', '/entities/l_Site', batch);
    expect([
      response.status,
      (response.json() as readonly { readonly path: string }[]).map(({ path }) => path),
    ]).toEqual([400, ['entities[0].parent', 'entities[1].parent']]);
    expect(await found('admin', 'l_Site', under('id', 0))).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect((await move(5, 4)).status).toBe(200);
    expect(await found('admin', 'l_Site', above('id', 5))).toEqual(['p0', 'p1', 'p3', 'p4', 'p5']);
    const created = [
      { number: 1, whole: { id: 2 } },
      { number: 2, whole: { id: 1 } },
    ];
    expect((await data.send('admin', 'POST', '/entities/l_Unit', created)).status).toBe(400);
    expect(
      (await data.send('admin', 'POST', '/entities/l_Unit', [{ number: 1 }, { number: 2, whole: { id: 1 } }])).status,
    ).toBe(201);
    expect((await data.send('admin', 'PUT', '/entities/l_Unit/1', { whole: { id: 2 } })).status).toBe(400);
  });

  // Asserts contract/filters.md#trees.
  test('two moves at the same time make no cycle together', async () => {
    await store(SMALL);
    const moves = await Promise.all([move(1, 2), move(2, 1)]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  // Asserts contract/filters.md#trees, contract/fetch-plans.md#children.
  test('a tree of 20,000 levels is found, and kept free of cycles; plans have a limit of levels', async () => {
    const levels = 20_000;
    await data.query('TRUNCATE l.unit');
    await data.query(`INSERT INTO l.unit (number, whole_number)
      SELECT level, NULLIF(level - 1, 0) FROM generate_series(1, ${levels}) level`);
    const counted = async (condition: object): Promise<unknown> => {
      const body = { filter: { conditions: [condition] }, aggregates: { n: { count: '*' } } };
      return (await data.send('admin', 'POST', '/aggregates/l_Unit', body)).json();
    };
    const [lower, upper] = [
      { property: 'number', operator: 'under', value: 1 },
      { property: 'number', operator: 'above', value: levels },
    ];
    for (const condition of [lower, upper]) expect(await counted(condition)).toEqual([{ n: levels }]);
    expect(await counted({ ...upper, depth: 100 })).toEqual([{ n: 101 }]);
    expect((await data.send('admin', 'PUT', '/entities/l_Unit/1', { whole: { id: levels } })).status).toBe(400);
    const plan = { entity: 'l_Site', properties: [{ name: 'children', depth: 1_000 }] };
    const refused = await data.send('admin', 'POST', '/entities/l_Site/search', { filter: {}, fetchPlan: plan });
    expect([refused.status, refused.json().error]).toEqual([400, 'Request limit exceeded']);
  });

  // Asserts contract/reading.md#preferences.
  test('a branch is estimated by the rows of the tree, however it is read', async () => {
    await data.query('TRUNCATE l.unit');
    await data.query(`INSERT INTO l.unit (number, whole_number)
      SELECT number, NULLIF(number / 10, 0) FROM generate_series(1, 5000) number`);
    await data.query('ANALYZE l.unit');
    const filter = JSON.stringify({ conditions: [{ property: 'number', operator: 'under', value: 1 }] });
    const path = `/entities/l_Unit/search?limit=2&filter=${encodeURIComponent(filter)}`;
    const { headers } = await data.send('admin', 'GET', path, undefined, { prefer: 'count=estimated' });
    expect(headers.get('preference-applied')).toBe('count=estimated');
    expect(Number(headers.get('x-total-count'))).toBeGreaterThan(100);
  });

  // Asserts contract/filters.md#trees.
  test('rows that others have made a cycle of end the search', async () => {
    await data.query(`UPDATE l.site SET parent_id = '${idOf(1, 4)}' WHERE id = '${idOf(1, 3)}'`);
    expect(await found('admin', 'l_Site', under('id', 4))).toEqual(['p3', 'p4']);
  });
});
