import {
  buildModel,
  compositionOfMany,
  enumeration,
  enumOf,
  ModelError,
  standardEntity,
  string,
  toMany,
  toOne,
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
        standardEntity('t_B', { attributes: {} }),
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
    'The instance name of t_C uses draft, which is neither stored nor computed of stored single values',
    'The instance name of t_C uses ofReference, which is neither stored nor computed of stored single values',
    't_A.b refers to the unknown entity t_Missing',
    't_A.many needs an owning reference t_B.nothing at the other end',
    't_A.grade is of the unknown enum t.Gone',
  ]);
});

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
