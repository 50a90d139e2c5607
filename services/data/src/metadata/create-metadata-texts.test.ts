import {
  boolean,
  buildModel,
  compositionOfMany,
  compositionOfOne,
  createMessages,
  type DynamicAttribute,
  decimal,
  dto,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  type FetchPlan,
  integer,
  type Model,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
  toOneInverse,
  withDynamicAttributes,
} from '@lintel/metadata';
import { createMetadataSource } from './create-metadata-source.ts';
import { createMetadataTexts } from './create-metadata-texts.ts';

const Grade = enumeration('t.Grade', { LOW: 'L', HIGH: 'H' });
const State = enumeration('t.State', { NEW: 10, DONE: 20 });
const plan = (name: string | undefined, entity: string, ...properties: FetchPlan['properties']): FetchPlan => ({
  name,
  entity,
  properties,
});
const model = buildModel({
  enums: [Grade, State],
  entities: [
    standardEntity('t_Party', { attributes: { name: string(20).mandatory() }, instanceName: ['name'] }),
    softDeletedEntity('t_Customer', {
      extends: 't_Party',
      attributes: {
        grade: enumOf(Grade).mandatory(),
        mood: enumOf(Grade).transient(),
        tags: elements(),
        address: embedded('t_Address'),
        orders: toMany('t_Order', 'customer'),
        labels: manyToMany('t_Label'),
        fixed: string().readOnly(),
        count: integer().computed(['orders'], () => null),
        secret: string().secret(),
      },
    }),
    embeddable('t_Address', { attributes: { city: string() } }),
    standardEntity('t_Order', {
      attributes: {
        customer: toOne('t_Customer').mandatory(),
        lines: compositionOfMany('t_Line', 'order'),
        delivery: compositionOfOne('t_Delivery'),
        invoice: toOneInverse('t_Invoice', 'order'),
      },
    }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order').mandatory() } }),
    standardEntity('t_Delivery', { attributes: { done: boolean(), order: toOneInverse('t_Order', 'delivery') } }),
    standardEntity('t_Invoice', { attributes: { order: toOne('t_Order').mandatory().unique() } }),
    standardEntity('t_Label', { attributes: { text: string() } }),
    dto('t_Quote', { attributes: { total: integer() } }),
    standardEntity('t_Part', {
      attributes: {
        code: string(5)
          .mandatory()
          .unique()
          .size(2, 5, '{msg://codeSize}')
          .pattern(/[a-z]+/)
          .check(() => true, 'never'),
        price: decimal(9, 2).default('1.50').min(0),
        note: string().ui({ widget: 'textarea' }),
        state: string(10).mandatory().databaseDefault(),
        order: toOne('t_Order'),
        pin: string().secret().pattern(/\d+/, 'digits only'),
      },
      instanceName: ['code'],
      ui: { order: ['price'], groups: [{ name: 'texts', attributes: ['note'] }], listPlan: 'short' },
    }),
  ],
  fetchPlans: [
    plan(
      'whole',
      't_Order',
      { name: 'customer', plan: plan('_local', 't_Customer', { name: 'grade', plan: undefined }) },
      { name: 'lines', plan: plan(undefined, 't_Line', { name: 'order', plan: undefined }) },
      { name: 'version', plan: undefined },
    ),
    plan('short', 't_Part', { name: 'code', plan: undefined }),
  ],
});
const messages = createMessages([
  { locale: '', texts: { 't/Party.name': 'Name', 't/Grade.HIGH': 'High' } },
  {
    locale: 'de',
    texts: {
      't/Customer.grade': 'Stufe',
      't/Grade.HIGH': 'Hoch',
      't/Part.ui.texts': 'Texte',
      't/codeSize': '{min} bis {max}',
    },
  },
]);
const textsIn = (locale: string, of: Model = model) => createMetadataTexts(of, messages, locale);

interface Info {
  readonly ancestor: string | null;
  readonly properties: readonly (Record<string, unknown> & { readonly name: string })[];
  readonly dynamicProperties?: readonly Record<string, unknown>[];
}
const entity = (name: string, locale = 'en', of?: Model): Info =>
  JSON.parse(textsIn(locale, of).entity(name).text) as Info;
const property = (name: string, attribute: string, locale?: string) =>
  entity(name, locale).properties.find((each) => each.name === attribute);

// Asserts contract/decisions.md#21, contract/metadata.md#entities, contract/metadata.md#metadata.
test('a property has all members of the contract', () => {
  expect(property('t_Party', 'name')).toEqual({
    name: 'name',
    attributeType: 'DATATYPE',
    type: 'string',
    cardinality: 'NONE',
    mandatory: true,
    readOnly: false,
    description: 'Name',
    persistent: true,
    transient: false,
  });
});

// Asserts contract/decisions.md#70, contract/metadata.md#entities.
test.each([
  ['t_Customer', 'grade', 'ENUM', 't.Grade', 'NONE'],
  ['t_Customer', 'mood', 'ENUM', 't.Grade', 'MANY_TO_ONE'],
  ['t_Customer', 'tags', 'DATATYPE', 'string', 'ONE_TO_MANY'],
  ['t_Customer', 'address', 'EMBEDDED', 't_Address', 'ONE_TO_ONE'],
  ['t_Customer', 'orders', 'ASSOCIATION', 't_Order', 'ONE_TO_MANY'],
  ['t_Customer', 'labels', 'ASSOCIATION', 't_Label', 'MANY_TO_MANY'],
  ['t_Order', 'customer', 'ASSOCIATION', 't_Customer', 'MANY_TO_ONE'],
  ['t_Order', 'lines', 'COMPOSITION', 't_Line', 'ONE_TO_MANY'],
  ['t_Order', 'delivery', 'COMPOSITION', 't_Delivery', 'ONE_TO_ONE'],
  ['t_Delivery', 'order', 'ASSOCIATION', 't_Order', 'ONE_TO_ONE'],
  ['t_Invoice', 'order', 'ASSOCIATION', 't_Order', 'ONE_TO_ONE'],
  ['t_Order', 'invoice', 'ASSOCIATION', 't_Invoice', 'ONE_TO_ONE'],
])('%s.%s is %s of %s, %s', (name, attribute, attributeType, type, cardinality) => {
  expect(property(name, attribute)).toMatchObject({ attributeType, type, cardinality });
});

// Asserts contract/metadata.md#entities.
test('mandatory, read-only and transient attributes have their flags', () => {
  expect(property('t_Order', 'customer')).toMatchObject({ mandatory: true, readOnly: false });
  expect(property('t_Order', 'invoice')).toMatchObject({ mandatory: false, readOnly: false, persistent: true });
  expect(property('t_Delivery', 'order')).toMatchObject({ readOnly: true });
  expect(property('t_Customer', 'fixed')).toMatchObject({ readOnly: true, persistent: true });
  expect(property('t_Customer', 'count')).toMatchObject({ readOnly: true, persistent: false, transient: true });
});

// Asserts contract/metadata.md#entities.
test('inherited and system attributes are first, and the ancestor is named', () => {
  const { ancestor, properties } = entity('t_Customer');
  expect(ancestor).toBe('t_Party');
  expect(properties.map(({ name }) => name).slice(0, 8)).toEqual([
    ...['id', 'version', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy', 'name', 'grade'],
  ]);
  expect(entity('t_Party').ancestor).toBeNull();
});

// Asserts contract/metadata.md#entities.
test('captions are in the language of the request, with the fallback of messages', () => {
  expect(property('t_Customer', 'grade', 'de')?.['description']).toBe('Stufe');
  expect(property('t_Customer', 'name', 'de')?.['description']).toBe('Name');
  expect(property('t_Customer', 'orders', 'de')?.['description']).toBe('Orders');
});

test('the list includes entities that are not stored; their properties are not persistent', () => {
  const names = (JSON.parse(textsIn('en').entities().text) as { entityName: string }[]).map((each) => each.entityName);
  expect(names).toEqual([
    't_Party',
    't_Customer',
    't_Address',
    't_Order',
    't_Line',
    't_Delivery',
    't_Invoice',
    't_Label',
    't_Quote',
    't_Part',
  ]);
  expect(entity('t_Quote').properties).toEqual([expect.objectContaining({ name: 'total', persistent: false })]);
});

interface Detailed {
  readonly properties: readonly (Record<string, unknown> & { readonly name: string })[];
  readonly ui?: unknown;
}
const detailed = (name: string, locale = 'de'): Detailed =>
  JSON.parse(textsIn(locale).entity(name, true).text) as Detailed;
const details = (name: string, attribute: string) => detailed(name).properties.find((each) => each.name === attribute);

// Asserts contract/metadata.md#details.
test('the details of an attribute: lengths, digits, defaults and the rules that clients can check, with texts of their own', () => {
  expect(details('t_Part', 'code')).toEqual({
    ...property('t_Part', 'code'),
    length: 5,
    unique: true,
    rules: [
      { kind: 'size', min: 2, max: 5, message: '2 bis 5' },
      { kind: 'pattern', pattern: '[a-z]+' },
    ],
  });
  expect(details('t_Part', 'price')).toMatchObject({
    ...{ precision: 9, scale: 2, defaultValue: '1.50', rules: [{ kind: 'min', value: '0', inclusive: true }] },
  });
  expect(details('t_Part', 'pin')).toMatchObject({
    writeOnly: true,
    rules: [{ kind: 'pattern', pattern: '\\d+', message: 'digits only' }],
  });
  expect(details('t_Part', 'note')).toMatchObject({ ui: { widget: 'textarea' } });
  expect(details('t_Part', 'state')).toMatchObject({ mandatory: true, databaseDefault: true });
  expect(details('t_Part', 'order')).toMatchObject({ owning: true });
  expect(details('t_Order', 'lines')).toMatchObject({ owning: false, inverse: 'order' });
});

// Asserts contract/metadata.md#details.
test('the details of an entity: its kind, its key, the attributes of its name, and hints', () => {
  const { properties, ...part } = detailed('t_Part');
  expect(part).toEqual({
    ...{ entityName: 't_Part', ancestor: null, kind: 'entity', abstract: false },
    ...{ key: 'id', keyGeneration: 'uuid', nameAttributes: ['code'] },
    ui: {
      order: ['price'],
      groups: [{ name: 'texts', description: 'Texte', attributes: ['note'] }],
      listPlan: { name: 'short', entity: 't_Part', properties: ['code'] },
    },
  });
  expect(detailed('t_Address')).toMatchObject({ kind: 'embeddable', key: null, keyGeneration: null });
  expect(detailed('t_Part', 'en').ui).toMatchObject({ groups: [{ description: 'texts' }] });
});

// Asserts contract/metadata.md#details.
test('without details, nothing differs from the metadata of clients that do not know them', () => {
  expect(Object.keys(entity('t_Part'))).toEqual(['entityName', 'ancestor', 'properties']);
  expect(Object.keys(property('t_Part', 'code') ?? {})).toHaveLength(9);
});

// Asserts contract/metadata.md#metadata.
test('a fetch plan has nested plans with their names, if any, and empty plans for references without a plan', () => {
  const whole = {
    name: 'whole',
    entity: 't_Order',
    properties: [
      { name: 'customer', fetchPlan: { name: '_local', properties: ['grade'] } },
      { name: 'lines', fetchPlan: { properties: [{ name: 'order', fetchPlan: { properties: [] } }] } },
      'version',
    ],
  };
  expect(JSON.parse(textsIn('en').fetchPlan('t_Order', 'whole').text)).toEqual(whole);
  expect(JSON.parse(textsIn('en').fetchPlans('t_Order').text)).toEqual([whole]);
  expect(JSON.parse(textsIn('en').fetchPlans('t_Line').text)).toEqual([]);
  expect(JSON.parse(textsIn('en').fetchPlan('t_Label', '_instance_name').text)).toEqual({
    name: '_instance_name',
    entity: 't_Label',
    properties: [],
  });
});

// Asserts contract/metadata.md#enums.
test('an enum has its constants in order, with ids of their JSON type and captions', () => {
  expect(JSON.parse(textsIn('de').enums().text)).toEqual([
    {
      name: 't.Grade',
      values: [
        { name: 'LOW', id: 'L', caption: 'Low' },
        { name: 'HIGH', id: 'H', caption: 'Hoch' },
      ],
    },
    {
      name: 't.State',
      values: [
        { name: 'NEW', id: 10, caption: 'New' },
        { name: 'DONE', id: 20, caption: 'Done' },
      ],
    },
  ]);
  expect(JSON.parse(textsIn('en').enumeration('t.Grade').text).values[1].caption).toBe('High');
});

test.each([
  ['an entity', () => textsIn('en').entity('t_Nothing'), 'Entity not found', 'Entity t_Nothing not found'],
  ['plans of an entity', () => textsIn('en').fetchPlans('x'), 'Entity not found', 'Entity x not found'],
  [
    'a plan',
    () => textsIn('en').fetchPlan('t_Order', 'x'),
    'Fetch plan not found',
    'Fetch plan x for metaClass t_Order not found',
  ],
  ['an enum', () => textsIn('en').enumeration('t.X'), 'Enum not found', 'Enum with class name t.X not found'],
])('an unknown %s returns 404', (_, ask, error, details) => {
  expect(ask).toThrow(expect.objectContaining({ status: 404, error, details }));
});

const dynamic = (code: string, more: Partial<DynamicAttribute>): DynamicAttribute => ({
  id: code,
  code,
  entity: 't_Party',
  category: 'Loyalty',
  name: `The ${code}`,
  description: undefined,
  type: 'STRING',
  collection: false,
  required: false,
  target: undefined,
  values: [],
  localizedNames: {},
  localizedDescriptions: {},
  ...more,
});
const extended = withDynamicAttributes(model, [
  dynamic('points', { type: 'INTEGER', required: true, localizedNames: { de: 'Punkte' } }),
  dynamic('aliases', { collection: true }),
  dynamic('colour', { type: 'ENUMERATION', values: ['RED', 'GREEN'] }),
  dynamic('friends', { type: 'ENTITY', target: 't_Party', collection: true }),
]);

// Asserts contract/metadata.md#entities.
test('dynamic attributes are separate from the properties, and are inherited', () => {
  expect(entity('t_Customer').dynamicProperties).toBeUndefined();
  const { properties, dynamicProperties } = entity('t_Customer', 'de_AT', extended);
  expect(properties).toEqual(entity('t_Customer', 'de_AT').properties);
  const common = { readOnly: false, persistent: true, transient: false, dynamic: true, category: 'Loyalty' };
  const datatype = { ...common, attributeType: 'DATATYPE', mandatory: false };
  expect(dynamicProperties).toEqual([
    { ...datatype, name: '+points', type: 'int', cardinality: 'NONE', mandatory: true, description: 'Punkte' },
    { ...datatype, name: '+aliases', type: 'string', cardinality: 'ONE_TO_MANY', description: 'The aliases' },
    {
      ...datatype,
      name: '+colour',
      type: 'string',
      cardinality: 'NONE',
      description: 'The colour',
      values: ['RED', 'GREEN'],
    },
    {
      ...datatype,
      name: '+friends',
      attributeType: 'ASSOCIATION',
      type: 't_Party',
      cardinality: 'MANY_TO_MANY',
      description: 'The friends',
    },
  ]);
});

test('texts are created once for a version of the model and a locale, and again for the next version', async () => {
  let current = model;
  const { metadata: source } = createMetadataSource(
    async () => current,
    () => messages,
  );
  const first = await source('de');
  expect(await source('de')).toBe(first);
  expect((await source('de')).entity('t_Party')).toBe(first.entity('t_Party'));
  expect((await source('en')).entity('t_Customer').tag).not.toBe(first.entity('t_Customer').tag);
  current = extended;
  expect(await source('de')).not.toBe(first);
  expect((await source('de')).entity('t_Party').tag).not.toBe(first.entity('t_Party').tag);
  expect((await source('de')).entity('t_Label').tag).toBe(first.entity('t_Label').tag);
});
