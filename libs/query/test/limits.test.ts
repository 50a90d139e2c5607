import { isPlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { parseArguments, parseFetchPlan, type QueryLimits, resolveFetchPlan, UNLIMITED } from '@lintel/query';
import { model as testModel } from './model.ts';
import { compileRequest, type TestRequest } from './run-stages.ts';

const limited = (limits: Partial<QueryLimits>, members: object, query?: TestRequest['query']): TestRequest => ({
  operation: 'list',
  entityName: 't_Pet',
  members: members as Record<string, unknown>,
  limits: { ...UNLIMITED, ...limits },
  ...(query === undefined ? {} : { query }),
});

/** Nothing where the request is accepted. */
function refusal(request: TestRequest): string | undefined {
  try {
    compileRequest(request);
    return undefined;
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'REQ_COST_EXCEEDED') throw error;
    expect(error.status).toBe(400);
    return error.details;
  }
}

const plan = (...properties: unknown[]) => ({ fetchPlan: { entity: 't_Pet', properties } });
const filter = (...conditions: unknown[]) => ({ filter: { conditions } });
const isNull = (property: string) => ({ property, operator: 'isNull' });

/** A comparison by two attributes. */
const address = (operator: string, count = 1) => {
  const value = { country: 'DE', city: 'Ulm' };
  return { property: 'owner.address', operator, value: operator === 'in' ? times(count, value) : value };
};
const list = (size: number) => ({ property: 'age', operator: 'in', value: times(size, 1) });

/** `hops` references to owners and their pets, and a name. */
const pathOf = (hops: number): string => `${'owner.pets.'.repeat(hops / 2)}${hops % 2 === 0 ? '' : 'owner.'}name`;
/** Sorts by different dynamic attributes. */
const dynamicSort = (count: number): string =>
  ['++motto', '-+tricks', '++speed', 'owner.+vip'].slice(0, count).join(',');
const times = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);
const IN_AGES = { text: 'select p from t_Pet p where p.age in :ages', parameters: { ages: 'int[]' } };

describe('each limit accepts what is at it and refuses one more', () => {
  const cases: [string, (size: number) => TestRequest, number, string][] = [
    [
      // A pet, the owner that its name shows, its own owner, its tags, its passport.
      'objects of a plan',
      (size) => limited({ planNodes: 4 }, plan(...['owner.name', 'tags', 'passport'].slice(0, size - 2))),
      4,
      'Objects of the fetch plan: 5, the limit is 4 (plan-nodes)',
    ],
    [
      'members of collections that a plan limits',
      // Four visits with two objects each, and the pet with its owner.
      (size) => limited({ responseNodes: 10 }, plan({ name: 'visits', limit: size })),
      4,
      'Rows of the page times objects of the fetch plan (visits 5): 12, the limit is 10 (response-nodes)',
    ],
    [
      'conditions in the filters of a plan and of the rows together',
      (size) =>
        limited(
          { conditions: 3 },
          {
            ...filter(isNull('name')),
            ...plan({ name: 'visits', filter: { conditions: times(size - 1, isNull('cost')) } }),
          },
        ),
      3,
      'Conditions: 4, the limit is 3 (conditions)',
    ],
    [
      'levels of a plan',
      (size) => limited({ planDepth: 6 }, plan(pathOf(size - 1))),
      6,
      'Levels of the fetch plan: 7, the limit is 6 (plan-depth)',
    ],
    [
      'references in a path of a filter',
      (size) => limited({ pathHops: 4 }, filter(isNull(pathOf(size)))),
      4,
      `References in one path (${pathOf(5)}): 5, the limit is 4 (path-hops)`,
    ],
    [
      'references in a path of a filter that ends at a collection',
      (size) => limited({ pathHops: 2 }, filter(isNull(size === 2 ? 'owner.pets' : 'owner.pets.tags'))),
      2,
      'References in one path (owner.pets.tags): 3, the limit is 2 (path-hops)',
    ],
    [
      'references in a path of a sort',
      (size) => limited({ pathHops: 1 }, { sort: size === 1 ? 'owner.name' : 'visits.pet.name' }),
      1,
      'References in one path (visits.pet.name): 2, the limit is 1 (path-hops)',
    ],
    [
      'conditions',
      (size) => limited({ conditions: 7 }, filter(...times(size, isNull('name')))),
      7,
      'Conditions: 8, the limit is 7 (conditions)',
    ],
    [
      'attributes that embedded objects are compared by',
      (size) => limited({ conditions: 5 }, filter(address('='), address('in', 2), ...times(size - 4, isNull('name')))),
      5,
      'Conditions: 6, the limit is 5 (conditions)',
    ],
    [
      'references before the attributes of embedded objects',
      (size) => limited({ conditionHops: 2 }, filter(address('='), ...times(size - 2, isNull('owner.name')))),
      2,
      'References in all paths: 3, the limit is 2 (condition-hops)',
    ],
    [
      'attributes of embedded objects in lists',
      (size) => limited({ listValues: 6 }, filter(address('in', Math.floor(size / 2)), list(size % 2))),
      6,
      'Values of all lists: 7, the limit is 6 (svc.rest.limits.list-values)',
    ],
    [
      'keys of a sort',
      (size) => limited({ conditions: 3 }, { sort: times(size, 'name').join(',') }),
      3,
      'Conditions (keys of the sort): 4, the limit is 3 (conditions)',
    ],
    [
      'references of all paths',
      (size) =>
        limited({ conditionHops: 6 }, { ...filter(...times(size - 1, isNull('owner.name'))), sort: 'owner.name' }),
      6,
      'References in all paths: 7, the limit is 6 (condition-hops)',
    ],
    [
      'steps through collections',
      (size) => limited({ toManySteps: 3 }, filter(...times(size, isNull('visits.cost')))),
      3,
      'Steps through collections: 4, the limit is 3 (to-many-steps)',
    ],
    [
      'collections whose members are tested',
      (size) =>
        limited({ toManySteps: 2 }, filter({ some: 'visits', conditions: times(size - 1, { none: 'pet.tags' }) })),
      2,
      'Steps through collections: 3, the limit is 2 (to-many-steps)',
    ],
    [
      'dynamic attributes that sort',
      (size) =>
        limited({ toManySteps: 3 }, { ...filter(isNull('+motto'), isNull('name')), sort: dynamicSort(size - 1) }),
      3,
      'Steps through collections: 4, the limit is 3 (to-many-steps)',
    ],
    [
      'values of all lists of a filter',
      (size) =>
        limited(
          { listValues: 10 },
          filter(
            { property: 'age', operator: 'in', value: times(5, 1) },
            { property: 'owner', operator: 'notIn', value: times(size - 5, crypto.randomUUID()) },
          ),
        ),
      10,
      'Values of all lists: 11, the limit is 10 (svc.rest.limits.list-values)',
    ],
    [
      'values of the collection parameters of a query',
      (size) => limited({ listValues: 10 }, {}, { ...IN_AGES, given: { ages: JSON.stringify(times(size, 1)) } }),
      10,
      'Values of all lists: 11, the limit is 10 (svc.rest.limits.list-values)',
    ],
  ];
  // Asserts contract/decisions.md#13, contract/decisions.md#53, contract/decisions.md#74,
  // contract/dynamic-attributes.md#sorting, contract/filters.md#types.
  test.each(cases)('%s', (_title, request, limit, details) => {
    expect(refusal(request(limit))).toBeUndefined();
    expect(refusal(request(limit + 1))).toBe(details);
  });
});

describe('steps through collections', () => {
  const group = (kind: 'AND' | 'OR', ...conditions: unknown[]) => ({ group: kind, conditions });
  const stepsOf = (...conditions: unknown[]): number => {
    for (let limit = 0; ; limit += 1)
      if (refusal(limited({ toManySteps: limit }, filter(...conditions))) === undefined) return limit;
  };

  test('under OR a prefix that conditions share counts once, under AND it does not', () => {
    const both = [isNull('visits.cost'), { property: 'visits.staff.name', operator: '=', value: 'x' }];
    expect(stepsOf(group('OR', ...both))).toBe(1);
    expect(stepsOf(group('AND', ...both))).toBe(2);
    expect(stepsOf(group('OR', isNull('visits.cost'), group('AND', ...both)))).toBe(3);
    expect(stepsOf(group('OR', isNull('owner.pets.visits'), isNull('owner.pets.tags')))).toBe(3);
  });

  test('element collections are collections, references to one and embedded objects are none', () => {
    expect(stepsOf(isNull('owner.nicknames'))).toBe(1);
    expect(stepsOf(isNull('owner.address.city'))).toBe(0);
  });
});

test('a path of any length is followed no further than the limit', () => {
  expect(refusal(limited({ pathHops: 12 }, filter(isNull(pathOf(100_000)))))).toMatch(
    /^References in one path .*: 13,/,
  );
});

describe('what a fetch plan refers to', () => {
  /** Each level refers to the one below it twice, by its owner's pets and by its tags' pets. */
  function doubling(levels: number): object {
    let below: { name: string; properties: unknown[] } = { name: 'p0', properties: ['name'] };
    for (let level = 1; level <= levels; level += 1) {
      const pets = (fetchPlan: unknown) => ({ properties: [{ name: 'pets', fetchPlan }] });
      below = {
        name: `p${level}`,
        properties: [
          { name: 'owner', fetchPlan: pets(below) },
          { name: 'tags', fetchPlan: pets(below.name) },
        ],
      };
    }
    return { fetchPlan: { ...below, entity: 't_Pet' } };
  }

  test('counts each time that it is referred to', () => {
    // Of a level: a pet and the owner that its name shows, its owner, its tags, and the level below twice.
    const nodes = (level: number): number => (level === 0 ? 2 : 4 + 2 * nodes(level - 1));
    expect(refusal(limited({ planNodes: nodes(6) }, doubling(6)))).toBeUndefined();
    expect(refusal(limited({ planNodes: nodes(6) - 1 }, doubling(6)))).toMatch(`fetch plan: ${nodes(6)}, the limit is`);
    // However large it would become: the first level that is too large is refused.
    expect(refusal(limited({ planNodes: 500 }, doubling(300)))).toMatch(`fetch plan: ${nodes(7)}, the limit is 500`);
  });

  test('is as deep as it would be without names', () => {
    // Each property is given again, with a plan that refers to the one before it.
    const first = { name: 'q0', properties: [{ name: 'pets', fetchPlan: { properties: ['name'] } }] };
    const further = Array.from({ length: 30 }, (_, at) => ({
      name: `q${at + 1}`,
      properties: [{ name: 'pets', fetchPlan: { properties: [{ name: 'owner', fetchPlan: `q${at}` }] } }],
    }));
    const chain = (count: number) =>
      plan(...[first, ...further].slice(0, count).map((fetchPlan) => ({ name: 'owner', fetchPlan })));
    expect(refusal(limited({ planDepth: 5 }, chain(2)))).toBeUndefined();
    expect(refusal(limited({ planDepth: 4 }, chain(2)))).toBe(
      'Levels of the fetch plan: 5, the limit is 4 (plan-depth)',
    );
    expect(refusal(limited({ planDepth: 40 }, chain(31)))).toMatch(/^Levels of the fetch plan: 41, the limit is 40/);
  });

  test('has the properties of all plans that are given for it, and counts once', () => {
    const pets = (...properties: unknown[]) => ({ name: 'owner', fetchPlan: { properties } });
    const twice = plan(pets('name', 'pets.name'), 'owner.salary', pets('salary', 'pets.tags'), 'owner');
    // The root and two pets with the owners that their names show, the owner, the tags.
    expect(refusal(limited({ planNodes: 6 }, twice))).toBeUndefined();
    expect(refusal(limited({ planNodes: 5 }, twice))).toMatch(/fetch plan: 6,/);
    const { text } = compileRequest(limited({}, twice));
    for (const name of ['name', 'salary', 'pets', 'tags']) expect(text).toContain(`AS "${name}"`);
  });

  test('is merged no more often than a plan at the limit has objects', () => {
    const some = Array.from({ length: 2_000 }, (_, at) => ({
      name: 'owner',
      fetchPlan: { properties: [at % 2 === 0 ? 'pets.name' : 'pets.age'] },
    }));
    expect(refusal(limited({ planNodes: 500 }, plan(...some)))).toMatch(/fetch plan: 1001, the limit is 500/);
    expect(refusal(limited({ planNodes: 500 }, plan(...times(2_000, 'owner.pets.name'))))).toBeUndefined();
  });

  test('counts embedded objects, collections, what computed attributes are loaded with, and dynamic references', () => {
    const sizeOf = (members: Record<string, unknown>): number => {
      for (let planNodes = 1; ; planNodes += 1)
        if (refusal(limited({ planNodes }, members)) === undefined) return planNodes;
    };
    const base = sizeOf(plan('owner.name'));
    expect(sizeOf(plan('owner.name', 'owner.address'))).toBe(base + 1);
    expect(sizeOf(plan('owner.name', 'owner.nicknames'))).toBe(base + 1);
    expect(sizeOf(plan('owner.name', 'visitCount'))).toBeGreaterThan(base + 1);
    expect(sizeOf({ ...plan('owner.name'), dynamicAttributes: true })).toBeGreaterThan(base);
    expect(sizeOf({ fetchPlan: 'with-owner' })).toBe(base);
  });
});

describe('binding a plan is linear in its length', () => {
  /** The model, with a count of how often attributes and entities are looked up. */
  function counted(): { readonly model: Model; readonly count: () => number } {
    let count = 0;
    const counting = <K, V>(map: ReadonlyMap<K, V>): ReadonlyMap<K, V> => {
      const own = new Map(map);
      own.get = (key) => {
        count += 1;
        return map.get(key);
      };
      return own;
    };
    const entities = new Map(
      [...testModel.entities].map(([name, entity]) => [name, { ...entity, attributes: counting(entity.attributes) }]),
    );
    return { model: { ...testModel, entities: counting(entities) }, count: () => count };
  }

  const reference = {
    t_Pet: ['owner', 'tags', 'visits', 'passport'],
    t_Owner: ['pets'],
    t_Tag: ['pets'],
    t_Visit: ['pet'],
  };
  const target: Record<string, string> = {
    owner: 't_Owner',
    tags: 't_Tag',
    visits: 't_Visit',
    passport: 't_Passport',
    pets: 't_Pet',
    pet: 't_Pet',
  };

  /** Plans that define names and refer to them again, up to some kilobytes. */
  function generate(seed: number): object {
    let state = seed;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const defined: Record<string, string[]> = {};
    let left = 300;
    const build = (entity: string, level: number): object => {
      const names = (reference as Record<string, readonly string[]>)[entity] ?? [];
      const properties = Array.from({ length: names.length === 0 ? 0 : 1 + random(6) }, () => {
        const name = names[random(names.length)] ?? '';
        const to = target[name] ?? '';
        const known = defined[to] ?? [];
        left -= 1;
        if (known.length > 0 && random(3) > 0)
          return { name, fetchPlan: known[known.length - 1 - random(Math.min(3, known.length))] };
        return level > 30 || left < 0 ? name : { name, fetchPlan: build(to, level + 1) };
      });
      const name = `n${Object.values(defined).flat().length}`;
      defined[entity] = [...(defined[entity] ?? []), name];
      return { name, properties };
    };
    return { ...build('t_Pet', 1), entity: 't_Pet' };
  }

  test('with any references between its plans', () => {
    const outcomes = Array.from({ length: 200 }, (_, seed) => {
      const text = JSON.stringify(generate(seed + 1));
      const { model, count } = counted();
      const limits = { ...UNLIMITED, planNodes: 500, planDepth: 40 };
      let isAccepted = true;
      try {
        resolveFetchPlan(parseFetchPlan(text, true), model.entities.get('t_Pet') as Entity, model, limits);
      } catch (error) {
        expect(error).toMatchObject({ code: 'REQ_COST_EXCEEDED' });
        isAccepted = false;
      }
      // Two plans at the limit may be merged on top of what the definition says.
      expect(count()).toBeLessThan(text.length + 4 * limits.planNodes);
      return isAccepted;
    });
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  });
});

test('JSON in a text is counted before it is read: a fetch plan, and the list of a parameter', () => {
  const text = `{"entity":"t_Pet","properties":[${'1,'.repeat(40_000)}1]}`;
  expect(refusal(limited({}, { fetchPlan: text }))).toContain('(plan-nodes)');
  const list = { name: 'ages', type: { kind: 'datatype', datatype: 'string' }, isList: true } as const;
  const given = (count: number) => () =>
    parseArguments([list], { ages: `[${times(count, 1).join()}]` }, { ...UNLIMITED, listValues: 10 });
  expect(given(10)()).toEqual({ arguments: [times(10, '1')], ignored: [] });
  expect(given(5_000)).toThrow('(svc.rest.limits.list-values)');
});
