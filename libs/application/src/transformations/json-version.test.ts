import { buildModel, compositionOfMany, integer, standardEntity, string, toOne } from '@lintel/metadata';
import { type ExactJson, readExactJson } from '@lintel/query';
import { type JsonVersion, jsonVersions, TransformationError } from './json-version.ts';
import { parseTransformations, TransformationConfigError } from './parse-transformations.ts';

const model = buildModel({
  entities: [
    standardEntity('m_Order', {
      attributes: {
        number: string(),
        total: integer(),
        owner: toOne('m_Person'),
        lines: compositionOfMany('m_Line', 'order'),
      },
    }),
    standardEntity('m_Line', { attributes: { order: toOne('m_Order'), count: integer(), extra: string() } }),
    standardEntity('m_Person', { attributes: { name: string() } }),
    standardEntity('m_Box', { attributes: { size: integer() } }),
  ],
});

const parse = (text: string) =>
  parseTransformations([{ name: 't.xml', text: `<transformations>\n${text}\n</transformations>` }], model, {
    shout: (object) => ({ ...object, loud: true }),
    fail: () => {
      throw new Error('cannot do that');
    },
  });

const XML = `
<transformation modelVersion="1.0" oldEntityName="m_Bill" currentEntityName="m_Order">
  <renameAttribute oldName="no" currentName="number"/>
  <fromVersion><removeAttribute name="fax"/></fromVersion>
  <toVersion><removeAttribute name="total"/></toVersion>
</transformation>
<transformation modelVersion="1.0" oldEntityName="m_Row" currentEntityName="m_Line">
  <renameAttribute oldName="pieces" currentName="count"/>
</transformation>
<transformation modelVersion="1.0" currentEntityName="m_Box">
  <renameAttribute oldName="never" currentName="size"/>
  <custom><fromVersion transformerBeanRef="shout"/><toVersion transformerBeanRef="fail"/></custom>
</transformation>
<transformation modelVersion="2.0" currentEntityName="m_Order">
  <renameAttribute oldName="label" currentName="number"/>
  <toVersion><removeAttribute name="label"/></toVersion>
</transformation>`;

const version = (name: string): JsonVersion => {
  const found = jsonVersions(parse(XML)).get(name);
  if (found === undefined) throw new Error(`There is no version ${name}`);
  return found;
};
const from = (entity: string, json: string, of = '1.0'): string =>
  JSON.stringify(version(of).fromClient(entity, readExactJson(json)));
const to = (entity: string, json: string, of = '1.0'): string =>
  JSON.stringify(version(of).toClient(entity, readExactJson(json)));

// Asserts contract/model-versions.md#model-versions.
test('an old entity name stands for the current one, any other for itself', () => {
  expect(version('1.0').currentName('m_Bill')).toBe('m_Order');
  expect(version('1.0').currentName('m_Order')).toBe('m_Order');
  expect(version('1.0').currentName('m_Unknown')).toBe('m_Unknown');
  expect(version('2.0').currentName('m_Bill')).toBe('m_Bill');
});

// Asserts contract/model-versions.md#model-versions.
test('the entity name is replaced, attributes are renamed and removed, in both directions', () => {
  expect(from('m_Order', '{"_entityName":"m_Bill","no":"A","fax":"1","total":1.10}')).toBe(
    '{"_entityName":"m_Order","number":"A","total":1.10}',
  );
  expect(to('m_Order', '{"_entityName":"m_Order","id":"x","number":"A","total":1}')).toBe(
    '{"_entityName":"m_Bill","id":"x","no":"A"}',
  );
});

// Asserts contract/model-versions.md#model-versions.
test('an entity name that is another one stays', () => {
  expect(from('m_Order', '{"_entityName":"m_Order","no":"A"}')).toBe('{"_entityName":"m_Order","number":"A"}');
});

// Asserts contract/model-versions.md#model-versions.
test('a body without an entity name is one of the entity of the URL', () => {
  expect(from('m_Order', '{"no":"A"}')).toBe('{"number":"A"}');
});

// Asserts contract/model-versions.md#model-versions.
test('attributes are removed after the renaming, by their new names', () => {
  expect(to('m_Order', '{"number":"A","total":1}', '2.0')).toBe('{"total":1}');
});

// Asserts contract/model-versions.md#model-versions.
test('nested objects and arrays that name their entity are converted by its own transformation', () => {
  const nested =
    '{"lines":[{"_entityName":"m_Row","pieces":3},{"_entityName":"m_Row","pieces":4}],"owner":{"_entityName":"m_Bill","no":"B"}}';
  expect(from('m_Order', nested)).toBe(
    '{"lines":[{"_entityName":"m_Line","count":3},{"_entityName":"m_Line","count":4}],"owner":{"_entityName":"m_Order","number":"B"}}',
  );
});

// Asserts contract/model-versions.md#model-versions.
test('what has no transformation passes, and what is nested in it is converted', () => {
  expect(to('m_Person', '{"_entityName":"m_Person","name":"x","of":{"_entityName":"m_Line","count":1}}')).toBe(
    '{"_entityName":"m_Person","name":"x","of":{"_entityName":"m_Row","pieces":1}}',
  );
});

// Asserts contract/model-versions.md#model-versions.
test('nested objects that do not name their entity pass unchanged; the first element speaks for an array', () => {
  const json = '{"owner":{"id":"1","no":"x"},"lines":[{"pieces":1},{"_entityName":"m_Row","pieces":2}]}';
  expect(from('m_Order', json)).toBe(json);
});

// Asserts contract/model-versions.md#model-versions.
test('arrays of roots are converted one by one, and scalars pass', () => {
  expect(from('m_Order', '[{"no":"A"},{"no":"B"},7,null]')).toBe('[{"number":"A"},{"number":"B"},7,null]');
  expect(version('1.0').fromClient('m_Order', 'text' as ExactJson)).toBe('text');
});

// Asserts contract/model-versions.md#model-versions.
test('a transformer of the application replaces all other steps; its failure names the entity', () => {
  expect(from('m_Box', '{"never":1}')).toBe('{"never":1,"loud":true}');
  expect(() => to('m_Box', '{"size":1}')).toThrow(new TransformationError('m_Box', new Error('cannot do that')));
});

// Asserts contract/model-versions.md#model-versions.
test('an unknown version is none', () => {
  expect(jsonVersions(parse(XML)).get('9.9')).toBeUndefined();
});

// Asserts contract/model-versions.md#model-versions.
test.each([
  ['<x/>', 't.xml, line 2: <x> is not known here; <transformation> is'],
  [
    '<transformation currentEntityName="m_Order"/>',
    't.xml, line 2: <transformation> needs the attribute "modelVersion"',
  ],
  ['<transformation modelVersion="1"/>', 't.xml, line 2: <transformation> needs the attribute "currentEntityName"'],
  ['<transformation modelVersion="1" currentEntityName="m_No"/>', 't.xml, line 2: there is no entity m_No'],
  [
    '<transformation modelVersion="1" currentEntityName="m_Order">\n<renameAttribute oldName="a" currentName="b"/></transformation>',
    't.xml, line 3: m_Order has no attribute b',
  ],
  [
    '<transformation modelVersion="1" currentEntityName="m_Order"><rename/></transformation>',
    't.xml, line 2: <rename> is not known here',
  ],
  [
    '<transformation modelVersion="1" currentEntityName="m_Order"><toVersion><drop/></toVersion></transformation>',
    't.xml, line 2: <drop> is not known here; <removeAttribute> is',
  ],
  [
    '<transformation modelVersion="1" currentEntityName="m_Order"><custom><toVersion transformerBeanRef="no"/></custom></transformation>',
    't.xml, line 2: the application has no JSON transformer no',
  ],
  [
    '<transformation modelVersion="1" currentEntityName="m_Order"/>\n<transformation modelVersion="1" currentEntityName="m_Order"/>',
    't.xml, line 3: version 1 to m_Order is there already',
  ],
  ['<transformation', /^t\.xml: line \d+, column \d+: /],
])('%s is refused with a message that tells where', (text, message) => {
  expect(() => parse(text)).toThrow(TransformationConfigError);
  expect(() => parse(text)).toThrow(message);
});
