import {
  type AttributeBuilder,
  buildModel,
  compositionOfMany,
  compositionOfOne,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  keylessEntity,
  ModelError,
  manyToMany,
  standardEntity,
  string,
  toMany,
  toOne,
  toOneInverse,
} from '../index.ts';

const problemsOf = (build: () => unknown): readonly string[] => {
  try {
    build();
  } catch (error) {
    if (error instanceof ModelError) return error.problems;
    throw error;
  }
  return [];
};

test('system attributes come first, then the attributes of the entity in declaration order', () => {
  const model = buildModel({ entities: [standardEntity('t_A', { attributes: { b: string(), a: string() } })] });
  expect([...(model.entities.get('t_A')?.attributes.keys() ?? [])]).toEqual([
    'id',
    'version',
    'createdDate',
    'createdBy',
    'lastModifiedDate',
    'lastModifiedBy',
    'b',
    'a',
  ]);
});

test('a descendant has the attributes of its ancestor before its own, and its key', () => {
  const model = buildModel({
    entities: [
      standardEntity('t_Company', { extends: 't_Party', attributes: { vatNumber: string(20) } }),
      standardEntity('t_Party', { abstract: true, attributes: { name: string(50) }, instanceName: ['name'] }),
    ],
  });
  const company = model.entities.get('t_Company');
  expect([...(company?.attributes.keys() ?? [])].slice(-2)).toEqual(['name', 'vatNumber']);
  expect(company?.key?.attribute).toBe('id');
  expect(company?.instanceName).toEqual({ kind: 'parts', parts: [{ attribute: 'name' }] });
  expect(model.entities.get('t_Party')?.descendants).toEqual(['t_Company']);
});

test('every contradiction is named at once', () => {
  const problems = problemsOf(() =>
    buildModel({
      entities: [
        standardEntity('t_A', {
          attributes: {
            b: toOne('t_Missing'),
            many: toMany('t_B', 'nothing'),
            grade: enumOf(enumeration('t.Gone', { X: 1 })),
          },
          instanceName: ['name'],
        }),
        standardEntity('t_B', { attributes: { name: string() }, instanceName: ['name', ' of ', '{id}'] }),
        standardEntity('t_C', {
          attributes: {
            draft: string().transient(),
            b: toOne('t_B'),
            code: string(),
            ofStored: string().computed(['code'], ({ code }) => String(code)),
            ofReference: string().computed(['b'], ({ b }) => String(b)),
          },
          instanceName: ['{draft}', '{ofStored}', '{ofReference}'],
        }),
      ],
    }),
  );
  expect(problems).toEqual([
    'The instance name of t_A uses the unknown attribute name',
    'The instance name of t_B has the text "name"; the attribute is {name}',
    'The instance name of t_C uses draft, which is neither stored nor computed of stored single values',
    'The instance name of t_C uses ofReference, which is neither stored nor computed of stored single values',
    't_A.b refers to the unknown entity t_Missing',
    't_A.many needs an owning reference t_B.nothing at the other end',
    't_A.grade is of the unknown enum t.Gone',
  ]);
});

test('entities that extend each other are refused', () => {
  const one = (name: string, ancestor: string) => standardEntity(name, { extends: ancestor, attributes: {} });
  const entities = [one('t_A', 't_B'), one('t_B', 't_C'), one('t_C', 't_B')];
  expect(() => buildModel({ entities })).toThrow('t_B extends itself, through t_C');
});

// Asserts contract/fetch-plans.md#built-in, contract/fetch-plans.md#parameter.
test('_base holds local and embedded attributes and the references of the instance name', () => {
  const model = buildModel({
    entities: [
      standardEntity('t_Line', {
        attributes: { order: toOne('t_Order').mandatory(), product: toOne('t_Product').mandatory(), note: string() },
        instanceName: ['product'],
      }),
      standardEntity('t_Order', { attributes: { lines: compositionOfMany('t_Line', 'order') } }),
      standardEntity('t_Product', { attributes: { name: string() }, instanceName: ['name'] }),
    ],
  });
  const base = model.fetchPlans.get('t_Line')?.get('_base');
  expect(base?.properties.map((property) => property.name)).not.toContain('order');
  expect(
    base?.properties.find((property) => property.name === 'product')?.plan?.properties.map(({ name }) => name),
  ).toContain('name');
  const local = model.fetchPlans.get('t_Line')?.get('_local');
  expect(local?.properties.map((property) => property.name)).not.toContain('product');
});

test('the version changes when anything in the model changes', () => {
  const version = (length: number): string =>
    buildModel({ entities: [standardEntity('t_A', { attributes: { name: string(length) } })] }).version;
  expect(version(10)).toBe(version(10));
  expect(version(10)).not.toBe(version(11));
});

describe('a unique reference to one', () => {
  const model = buildModel({
    entities: [
      standardEntity('t_Person', { attributes: { passport: toOneInverse('t_Passport', 'person'), name: string() } }),
      standardEntity('t_Passport', {
        attributes: { person: toOne('t_Person').unique(), lid: compositionOfOne('t_Lid') },
      }),
      standardEntity('t_Lid', { attributes: { passport: toOneInverse('t_Passport', 'lid') } }),
    ],
  });
  const reference = (entity: string, name: string) => model.entities.get(entity)?.attributes.get(name);

  test('is a 1:1 association, and so is its other end, which has no column', () => {
    expect(reference('t_Passport', 'person')).toMatchObject({ cardinality: 'ONE_TO_ONE', owning: true });
    expect(reference('t_Person', 'passport')).toMatchObject({
      cardinality: 'ONE_TO_ONE',
      owning: false,
      composition: false,
      inverse: 'person',
      readOnly: false,
    });
  });

  test('of a composition is read only at the other end: the child does not choose its parent', () => {
    expect(reference('t_Lid', 'passport')).toMatchObject({ cardinality: 'ONE_TO_ONE', readOnly: true });
  });

  test('is in no built-in fetch plan', () => {
    for (const plan of ['_local', '_base', '_instance_name', '_minimal'])
      expect(
        model.fetchPlans
          .get('t_Person')
          ?.get(plan)
          ?.properties.map(({ name }) => name),
      ).not.toContain('passport');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the value type of each attribute differs
test.each<readonly [string, AttributeBuilder<any>, AttributeBuilder<any>, readonly string[]]>([
  [
    'an inverse of a reference that is not unique',
    toOneInverse('t_B', 'a'),
    toOne('t_A'),
    ["t_A.it needs a unique reference at the other end: t_B.a is to be toOne('t_A').unique()"],
  ],
  [
    'a collection of a unique reference',
    toMany('t_B', 'a'),
    toOne('t_A').unique(),
    ["t_A.it is ONE_TO_MANY, and t_B.a at its other end is ONE_TO_ONE: it is to be toOneInverse('t_B', 'a')"],
  ],
  [
    'an inverse without an other end',
    toOneInverse('t_B', 'missing'),
    toOne('t_A').unique(),
    ['t_A.it needs an owning reference t_B.missing at the other end'],
  ],
  [
    'an inverse of a reference to another entity',
    toOneInverse('t_B', 'a'),
    toOne('t_B').unique(),
    ['t_A.it and t_B.a are not the two ends of one reference'],
  ],
  [
    'a mandatory inverse',
    toOneInverse('t_B', 'a').mandatory(),
    toOne('t_A').unique(),
    ['t_A.it cannot be mandatory: its value is stored at the other end, t_B.a'],
  ],
  ['a unique collection', manyToMany('t_B').unique(), toOne('t_A'), ['t_A.it cannot be unique: it is no single value']],
  [
    'a unique embedded attribute',
    embedded('t_Inside').unique(),
    toOne('t_A'),
    ['t_A.it cannot be unique: it is no single value'],
  ],
])('%s is a contradiction', (_what, it, a, problems) => {
  const entities = [
    embeddable('t_Inside', { attributes: { value: string() } }),
    standardEntity('t_A', { attributes: { it } }),
    standardEntity('t_B', { attributes: { a } }),
  ];
  expect(problemsOf(() => buildModel({ entities }))).toEqual(problems);
});

test('both ends of a unique reference may be inherited', () => {
  const entities = [
    standardEntity('t_Party', { attributes: { passport: toOneInverse('t_Document', 'holder') } }),
    standardEntity('t_Person', { extends: 't_Party', attributes: { card: toOneInverse('t_Document', 'owner') } }),
    standardEntity('t_Paper', { abstract: true, attributes: { holder: toOne('t_Party').unique() } }),
    standardEntity('t_Document', { extends: 't_Paper', attributes: { owner: toOne('t_Person').unique() } }),
  ];
  expect(problemsOf(() => buildModel({ entities }))).toEqual([]);
});

describe('views and tables without a key', () => {
  const table = { schema: 'public', name: 'lines' };

  test('a view is read-only unless it is said to be writable', () => {
    const build = (writable?: boolean) =>
      buildModel({
        entities: [
          keyedEntity('t_View', {
            key: 'code',
            view: { ...table, ...(writable === undefined ? {} : { writable }) },
            attributes: { code: string(10), name: string(20) },
          }),
        ],
      }).entities.get('t_View');
    expect(build()).toMatchObject({ table, isView: true, readOnly: true, key: { attribute: 'code' } });
    expect(build(true)?.readOnly).toBeUndefined();
  });

  test('an entity without a key is a read-only list', () => {
    const model = buildModel({ entities: [keylessEntity('t_Line', { table, attributes: { name: string(20) } })] });
    expect(model.entities.get('t_Line')).toMatchObject({ table, key: undefined, readOnly: true });
    expect(model.entities.get('t_Line')?.attributes.has('id')).toBe(false);
  });

  test('what needs a key, constraints or numbers of their own is refused', () => {
    const problems = problemsOf(() =>
      buildModel({
        entities: [
          keylessEntity('t_NoTable', { attributes: {} }),
          keylessEntity('t_Line', { table, attributes: { order: toOne('t_Order'), words: elements() } }),
          standardEntity('t_Order', { attributes: { line: toOne('t_Line') } }),
          standardEntity('t_Child', { extends: 't_Line', attributes: {} }),
          keyedEntity('t_View', {
            key: 'id',
            generation: 'identity',
            view: { ...table, writable: true },
            attributes: { id: string(1) },
          }),
        ],
      }),
    );
    expect(problems).toEqual([
      't_NoTable has no key: give it one (keyedEntity), or make it a read-only list of an existing table or view (keylessEntity with `table` or `view`)',
      't_Line has no key, so it can neither extend an entity nor be extended',
      't_Order.line cannot refer to t_Line, which has no key',
      't_Child has no key, so it can neither extend an entity nor be extended',
      "t_View is a writable view, which cannot number its rows: its key must be 'assigned' or 'uuid'",
    ]);
    const ofLine = problemsOf(() =>
      buildModel({
        entities: [
          keylessEntity('t_Line', { table, attributes: { order: toOne('t_Order'), words: elements() } }),
          standardEntity('t_Order', { attributes: {} }),
        ],
      }),
    );
    expect(ofLine).toEqual([
      't_Line.order cannot be a reference: t_Line has no key; declare the column as an attribute of its datatype, or give t_Line a key',
      't_Line.words cannot be a collection: t_Line has no key; declare the column as an attribute of its datatype, or give t_Line a key',
    ]);
  });
});

test('constraints and indexes in SQL name stored attributes', () => {
  const problems = problemsOf(() =>
    buildModel({
      entities: [
        standardEntity('t_Visit', {
          attributes: { start: integer(), end: integer(), draft: string().transient() },
          checks: { order: '{start} < {ende}', nothing: 'true' },
          exclusions: { apart: { equal: ['room'], period: ['start', 'end'], where: '{draft} IS NULL' } },
          indexes: [{ attributes: ['start'], unique: false, where: '{missing} > 0' }],
        }),
      ],
    }),
  );
  expect(problems).toEqual([
    'The check order of t_Visit uses ende, which is no stored attribute; did you mean end?',
    'The check nothing of t_Visit names no attribute: write them in braces, {price} > 0',
    'The exclusion apart of t_Visit uses room, which is no stored attribute',
    'The exclusion apart of t_Visit uses draft, which is no stored attribute',
    'An index of t_Visit uses missing, which is no stored attribute',
  ]);
});

test('the smallest group of aggregates is a number of instances, and the same for descendants', () => {
  const person = (minimumGroup: number) =>
    standardEntity('t_Person', { minimumGroup, attributes: { name: string(5) } });
  const child = standardEntity('t_Child', { extends: 't_Person', attributes: {} });
  expect(buildModel({ entities: [person(3), child] }).entities.get('t_Child')?.minimumGroup).toBe(3);
  for (const wrong of [1, 2.5, Number.NaN])
    expect(() => buildModel({ entities: [person(wrong)] })).toThrow(
      'minimumGroup of t_Person must be a whole number of at least 2',
    );
});

test('a tree needs one optional reference to its own entity, and a key of one column', () => {
  const problems = (...entities: Parameters<typeof buildModel>[0]['entities'][number][]): readonly string[] =>
    problemsOf(() => buildModel({ entities }));
  const site = (attributes: Readonly<Record<string, AttributeBuilder<unknown>>>) =>
    standardEntity('t_Site', { attributes });
  expect(problems(site({ parent: toOne('t_Site').tree() }))).toEqual([]);
  const wrong = "t_Site.parent is no parent in a tree: it must be an optional toOne('t_Site')";
  for (const parent of [toOne('t_Site').mandatory(), toOne('t_Site').unique(), string(10), toMany('t_Site', 'up')])
    expect(problems(site({ parent: parent.tree(), up: toOne('t_Site') }))).toContain(wrong);
  expect(problems(site({ parent: toOne('t_Site').tree(), other: toOne('t_Site').tree() }))).toContain(
    't_Site has two parents in a tree: parent, other',
  );
  const key = embeddable('t_Key', { attributes: { one: string(1), two: string(1) } });
  const keyed = keyedEntity('t_Site', {
    key: 'id',
    attributes: { id: embedded('t_Key'), parent: toOne('t_Site').tree() },
    traits: {},
  });
  expect(problems(key, keyed)).toContain('t_Site cannot be a tree: its key has several columns');
});
