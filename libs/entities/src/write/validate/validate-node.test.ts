import {
  buildModel,
  elements,
  embeddable,
  embedded,
  entityOf,
  integer,
  keyedEntity,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { canonicalKey, type ExactJson } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Key, Value } from '../values/value.ts';
import { validateNode } from './validate-node.ts';

const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(5).mandatory(), zip: string(5) } }),
    standardEntity('t_Order', {
      attributes: {
        number: string(5).mandatory(),
        count: integer().min(1),
        secret: string(5).secret(),
        address: embedded('t_Address'),
        parent: toOne('t_Order').mandatory(),
        labels: elements(3).size(1, 2),
      },
    }),
    keyedEntity('t_Rate', { key: 'code', attributes: { code: string(3) } }),
  ],
});
const VALID = { number: 'A', parent: { key: canonicalKey(['p']) }, labels: ['a'] };

interface NodeOptions {
  readonly kind?: InstanceNode['kind'];
  readonly entity?: string;
  readonly key?: Key;
  readonly path?: string;
  readonly sent?: Readonly<Record<string, ExactJson>>;
  readonly filled?: InstanceNode['filled'];
}

/** An instance that was valid before `after` was set. */
function validate(after: Readonly<Record<string, Value>>, options: NodeOptions = {}) {
  const { kind = 'create', entity = 't_Order', key = canonicalKey(['o']), path = '', sent = {}, filled } = options;
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const before = new Map([...initialValues(layout, key), ...Object.entries<Value>(entity === 't_Order' ? VALID : {})]);
  const node: InstanceNode = {
    entity: layout.entity,
    layout,
    key,
    kind,
    path,
    before: kind === 'create' ? undefined : before,
    after: new Map([...before, ...Object.entries(after)]),
    sent: new Map(Object.entries(sent)),
    filled,
    children: new Map(),
  };
  return validateNode(
    model,
    node,
    '2026-11-21T10:20:30.400',
    ({ messageTemplate }, name) => `${name} ${messageTemplate}`,
  );
}
const constraint = (template: string): string => /(\w+)\.message/.exec(template)?.[1] ?? template;
const found = (...given: Parameters<typeof validate>) =>
  validate(...given).map(({ path, messageTemplate }) => `${path} ${constraint(messageTemplate)}`);

test('a valid instance violates nothing: the attributes that the server sets may be empty', () => {
  expect(validate({})).toEqual([]);
});

test('all violations of a new instance are found', () => {
  expect(found({ number: null, count: 0, parent: null, labels: ['long', 'b', 'c'] })).toEqual([
    'number NotNull',
    'count DecimalMin',
    'parent NotNull',
    'labels Size',
    'labels[0] Size',
  ]);
});

test('of a stored instance only what changes is looked at', () => {
  expect(found({ number: 'toolong' }, { kind: 'update' })).toEqual(['number Size']);
  expect(found({ count: null }, { kind: 'update' })).toEqual([]);
  expect(found({ labels: [] }, { kind: 'update' })).toEqual(['labels Size']);
});

test('an item has the text of its entity, the path from the sent root, and the value as it was sent', () => {
  expect(validate({ count: 0 }, { path: 'lines[1]', sent: { count: '0' } })).toEqual([
    {
      message: 't_Order {jakarta.validation.constraints.DecimalMin.message}',
      messageTemplate: '{jakarta.validation.constraints.DecimalMin.message}',
      path: 'lines[1].count',
      invalidValue: '0',
    },
  ]);
});

test.each<[string, Readonly<Record<string, Value>>, NodeOptions, unknown]>([
  ['nothing where nothing was sent', { number: null }, {}, null],
  ['never the value of a secret attribute', { secret: 'toolong' }, { sent: { secret: 'toolong' } }, null],
  ['the one element that is wrong', { labels: ['a', 'long'] }, { sent: { labels: ['a', 'long'] } }, 'long'],
  ['the key of an instance', { code: 'EURO' }, { entity: 't_Rate', key: canonicalKey(['EURO']) }, 'EURO'],
])('an item shows %s', (_, after, options, expected) => {
  expect(validate(after, options).map(({ invalidValue }) => invalidValue)).toEqual([expected]);
});

test('a key must be there', () => {
  expect(found({ code: null }, { entity: 't_Rate', key: canonicalKey([null]) })).toEqual(['code NotNull']);
});

test('what is mandatory inside an embedded object is needed where the object has any value', () => {
  expect(found({ 'address.zip': '1' })).toEqual(['address.city NotNull']);
  expect(found({ 'address.zip': null, 'address.city': null })).toEqual([]);
});

describe('a value that is null because a sibling names the attribute', () => {
  const filled = { collection: 'lines', paths: new Set(['number', 'labels', 'count']) };

  test('has one text that says so instead of its violations', () => {
    expect(found({ number: null, labels: [] }, { filled })).toEqual(['number NotSentForAll', 'labels NotSentForAll']);
    expect(found({ count: null }, { filled })).toEqual([]);
  });

  test('has its violations when a listener has set it since', () => {
    expect(found({ number: 'toolong', count: 0 }, { filled })).toEqual(['number Size', 'count DecimalMin']);
  });
});
