import {
  buildModel,
  type DynamicAttribute,
  entityOf,
  keyedEntity,
  standardEntity,
  string,
  withDynamicAttributes,
} from '@lintel/metadata';
import { type ExactObject, readExactJson } from '@lintel/query';
import { parseDynamicValues } from './parse-dynamic-values.ts';

const dynamic = (
  code: string,
  type: DynamicAttribute['type'],
  more: Partial<DynamicAttribute> = {},
): DynamicAttribute => ({
  ...{ id: `id of ${code}`, code, entity: 't_Pet', category: 'Test', name: code, description: undefined, type },
  ...{
    collection: false,
    required: false,
    target: undefined,
    values: [],
    localizedNames: {},
    localizedDescriptions: {},
  },
  ...more,
});
const model = withDynamicAttributes(
  buildModel({
    entities: [
      keyedEntity('t_Tag', { key: 'code', attributes: { code: string(10) } }),
      standardEntity('t_Pet', { attributes: { name: string(10) } }),
    ],
  }),
  [
    dynamic('motto', 'STRING'),
    dynamic('tricks', 'INTEGER'),
    dynamic('tame', 'BOOLEAN'),
    dynamic('value', 'DECIMAL'),
    dynamic('born', 'DATE_WITHOUT_TIME'),
    dynamic('tag', 'ENTITY', { target: 't_Tag' }),
    dynamic('names', 'STRING', { collection: true }),
    dynamic('tags', 'ENTITY', { target: 't_Tag', collection: true }),
  ],
);

const parse = (json: object | string, path = '', mode: 'single-create' | 'other' = 'other') =>
  parseDynamicValues(
    { model, mode },
    entityOf(model, 't_Pet'),
    readExactJson(typeof json === 'string' ? json : JSON.stringify(json)) as ExactObject,
    path,
  );
const itemsOf = (json: object | string) =>
  parse(json).map(({ attribute, items, lacksId }) => [attribute.code, items, lacksId]);

// Asserts contract/writing.md#update.
test('values that were not sent, and values of unknown codes, are unchanged', () => {
  expect(parse({ name: 'Rex', motto: 'x', '+colour': 'red' })).toEqual([]);
  expect(parse(Object.create({ '+motto': 'x' }) as object)).toEqual([]);
});

// Asserts contract/writing.md#update.
test.each<[object | string, unknown]>([
  [{ '+motto': '' }, ['motto', [''], false]],
  [{ '+tricks': 0 }, ['tricks', [0], false]],
  [{ '+tame': false }, ['tame', [false], false]],
  ['{"+value": 1.50}', ['value', ['1.50'], false]],
  [{ '+tag': { id: 'cute' } }, ['tag', [{ key: ['cute'] }], false]],
  [{ '+tag': { code: 'cute' } }, ['tag', [{ key: ['cute'] }], false]],
  [{ '+tag': {} }, ['tag', [], true]],
  [{ '+names': ['a', '', 'a'] }, ['names', ['a', '', 'a'], false]],
  [{ '+tags': [{ id: 'a' }, { id: 'b' }] }, ['tags', [{ key: ['a'] }, { key: ['b'] }], false]],
  [{ '+tags': [{ id: 'a' }, {}] }, ['tags', [{ key: ['a'] }], true]],
])('the dynamic values of %j are read', (json, expected) => {
  expect(itemsOf(json)).toEqual([expected]);
});

// Asserts contract/writing.md#update.
test.each([
  ['motto', null],
  ['born', ' '],
  ['tag', null],
  ['names', null],
  ['names', []],
  ['tags', []],
])('the dynamic attribute %s loses its value by %j', (code, value) => {
  expect(itemsOf({ [`+${code}`]: value })).toEqual([[code, [], false]]);
});

test('several values are in the order of the attributes, each with its path', () => {
  const paths = (path: string) => parse({ '+names': ['a'], '+motto': 'x' }, path).map((value) => value.path);
  expect(paths('')).toEqual(['+motto', '+names']);
  expect(paths('pets[1]')).toEqual(['pets[1].+motto', 'pets[1].+names']);
});

// Asserts contract/writing.md#body-errors.
test.each<[object | string, string]>([
  [{ '+motto': 1 }, "Attribute 'pets[1].+motto' must be a text"],
  [{ '+motto': ['x'] }, "Attribute 'pets[1].+motto' must be a text"],
  [{ '+tricks': 'x' }, "Attribute 'pets[1].+tricks' must be a 32-bit integer"],
  [{ '+tricks': 1.5 }, "Attribute 'pets[1].+tricks' must be a 32-bit integer"],
  [{ '+tag': 'cute' }, "Attribute 'pets[1].+tag' must be a JSON object"],
  [{ '+tag': [{ id: 'cute' }] }, "Attribute 'pets[1].+tag' must be a JSON object"],
  [{ '+tag': { id: true } }, "Attribute 'pets[1].+tag.id' is no valid id of t_Tag"],
  [{ '+names': 'a' }, "Attribute 'pets[1].+names' must be a JSON array"],
  [{ '+names': {} }, "Attribute 'pets[1].+names' must be a JSON array"],
  [{ '+names': ['a', 1] }, "Attribute 'pets[1].+names[1]' must be a text"],
  [{ '+names': ['a', null] }, "Attribute 'pets[1].+names[1]' must be a text"],
  [{ '+tags': [{ id: 'a' }, null] }, "Attribute 'pets[1].+tags[1]' must be a JSON object"],
  [{ '+tags': [{ id: 'a' }, 'b'] }, "Attribute 'pets[1].+tags[1]' must be a JSON object"],
  ['{"+value": 1e100000}', "Attribute 'pets[1].+value' must be a decimal number"],
])('%j is refused with its path', (json, details) => {
  expect(() => parse(json, 'pets[1]')).toThrow(expect.objectContaining({ code: 'REQ_CANNOT_DESERIALIZE', details }));
});

// Asserts contract/writing.md#body-errors.
test('the error of a single create names the member', () => {
  const error = (json: object): unknown => {
    try {
      return parse(json, '', 'single-create');
    } catch (cause) {
      return (cause as { readonly error: string }).error;
    }
  };
  expect(error({ '+tag': 1 })).toContain("Attribute '+tag' refers to an entity");
  expect(error({ '+tags': 1 })).toContain("Attribute '+tags' refers to a collection");
  expect(error({ '+tame': 'x' })).toContain('Type [boolean]. Value [x]');
});
