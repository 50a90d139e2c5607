import { t, type ValueForm } from '@lintel/application';
import {
  buildModel,
  compositionOfMany,
  createMessages,
  DATATYPES,
  decimal,
  displayIn,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  localDate,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import { NO_REQUEST_LIMITS, serializeEntity } from '@lintel/reading';
import { cases, fc } from '@lintel/testkit/properties';
import { parseValue } from './parse-value.ts';

const Kind = enumeration('p.Kind', { A: 1, B: 2 });
const model = buildModel({
  enums: [Kind],
  entities: [
    embeddable('p_Location', { attributes: { city: string(10) } }),
    standardEntity('p_Owner', {
      attributes: {
        name: string(),
        kind: enumOf(Kind),
        born: localDate(),
        limit: decimal(9, 2),
        location: embedded('p_Location'),
        tags: elements(),
        boss: toOne('p_Owner'),
        things: compositionOfMany('p_Thing', 'owner'),
      },
      instanceName: ['name'],
    }),
    standardEntity('p_Thing', { attributes: { owner: toOne('p_Owner'), label: string() } }),
  ],
});
const owner = model.entities.get('p_Owner');
const environment = { model, version: undefined, limits: NO_REQUEST_LIMITS };

const NAMES = [
  'id',
  '_entityName',
  'name',
  'kind',
  'born',
  'limit',
  'location',
  'city',
  'tags',
  'boss',
  'things',
  'label',
];
const LEAVES = [
  'p_Owner',
  'p_Thing',
  'A',
  '2026-02-03',
  '1.50',
  '00000000-0000-4000-8000-000000000001',
  '',
  '{"name":"x"}',
];
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1.5, 1e20, ...LEAVES),
    fc.string(),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), tie('json'), { maxKeys: 5 }),
  ),
}));

const forms: readonly ValueForm[] = [
  ...DATATYPES.map((datatype): ValueForm => ({ kind: 'datatype', datatype })),
  { kind: 'enum', enumName: 'p.Kind' },
  { kind: 'entity', entity: 'p_Owner' },
  t.list(t.entity('p_Owner')).definition.form,
  t.list(t.decimal).definition.form,
  t.record({ a: t.int, b: t.object.optional() }).definition.form,
  t.object.definition.form,
  t.any.definition.form,
];

// Asserts contract/services.md#parameters.
test('every value is parsed or refused for every type, without an internal error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...forms), json, (form, value) => {
      parseValue(environment, form, readExactJson(JSON.stringify(value)));
    }),
    cases(3_000),
  );
});

test('every accepted entity can be returned, and is then parsed as the same', () => {
  if (owner === undefined) throw new Error('There is no p_Owner');
  const form = { kind: 'entity', entity: 'p_Owner' } as const;
  const display = displayIn(createMessages(), 'en');
  const writing = { model, access: undefined, instanceNames: false, display };
  let accepted = 0;
  fc.assert(
    fc.property(json, (value) => {
      const parsed = parseValue(environment, form, readExactJson(JSON.stringify(value)));
      if (parsed === undefined) return;
      accepted += 1;
      const serialized = JSON.stringify(serializeEntity(writing, owner, parsed.value));
      const again = parseValue(environment, form, readExactJson(serialized));
      expect(JSON.stringify(serializeEntity(writing, owner, again?.value))).toBe(serialized);
    }),
    cases(3_000),
  );
  expect(accepted).toBeGreaterThan(100);
});

// Asserts contract/services.md#parameters.
test('a value that is nested too deeply is refused', () => {
  const deep = `${'{"boss":'.repeat(2_000)}null${'}'.repeat(2_000)}`;
  for (const form of [forms.at(-1), forms.at(-2), { kind: 'entity', entity: 'p_Owner' } as const])
    expect(form && parseValue(environment, form, readExactJson(deep))).toBeUndefined();
});
