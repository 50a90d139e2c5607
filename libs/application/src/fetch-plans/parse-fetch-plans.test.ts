import { StartError } from '@lintel/errors';
import { buildModel, compositionOfMany, type FetchPlan, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { includedResources, parseFetchPlans } from './parse-fetch-plans.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Order', {
      attributes: { number: string(20), lines: compositionOfMany('t_Line', 'order'), owner: toOne('t_Owner') },
      instanceName: ['number'],
    }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order'), note: string(), product: toOne('t_Owner') } }),
    standardEntity('t_Owner', { attributes: { name: string() }, instanceName: ['name'] }),
    standardEntity('t_Part', {
      attributes: { name: string(), parent: toOne('t_Part').tree(), children: toMany('t_Part', 'parent') },
    }),
  ],
});

const parse = (...texts: string[]): readonly FetchPlan[] =>
  parseFetchPlans(
    texts.map((text, index) => ({ name: `plans${index + 1}.xml`, text: `<fetchPlans>${text}</fetchPlans>` })),
    model,
  );

const shapeOf = (plan: FetchPlan | undefined): unknown =>
  plan?.properties.map((property) =>
    property.plan === undefined ? property.name : [property.name, shapeOf(property.plan)],
  );

// Asserts contract/fetch-plans.md#fetch-plans, contract/fetch-plans.md#named.
test('a reference without a plan gets _base, one with nested properties only those', () => {
  const [plan] = parse(`<fetchPlan entity="t_Order" name="p">
    <property name="number"/><property name="owner"/>
    <property name="lines"><property name="note"/></property>
  </fetchPlan>`);
  expect(plan?.name).toBe('p');
  expect(shapeOf(plan)).toEqual([
    'number',
    ['owner', expect.arrayContaining(['name', 'version'])],
    ['lines', ['note']],
  ]);
});

// Asserts contract/fetch-plans.md#members, contract/fetch-plans.md#named.
test('a collection has the selection of its members, which a plan that extends it may replace', () => {
  const plans = parse(
    `<fetchPlan entity="t_Order" name="a"><property name="lines" fetchPlan="_local" sort="-note" limit="3" count="true">
      <filter>{"conditions": [{"property": "note", "operator": "=", "value": "x"}]}</filter>
    </property></fetchPlan>`,
    '<fetchPlan entity="t_Order" name="b" extends="a"><property name="lines" offset="2"/></fetchPlan>',
    '<fetchPlan entity="t_Order" name="c" extends="a"><property name="lines"/></fetchPlan>',
  );
  const filter = { conditions: [{ property: 'note', operator: '=', value: 'x' }] };
  expect(plans.map(({ properties }) => properties[0]?.members)).toEqual([
    { filter, sort: '-note', limit: 3, count: true },
    { offset: 2 },
    { filter, sort: '-note', limit: 3, count: true },
  ]);
  expect(plans[0]?.properties[0]?.plan?.name).toBe('_local');
});

// Asserts contract/fetch-plans.md#children, contract/fetch-plans.md#named.
test('children of a tree have children to a depth, with the same plan and selection', () => {
  const [plan] = parse(
    '<fetchPlan entity="t_Part" name="p"><property name="children" depth="3" sort="name"><property name="name"/></property></fetchPlan>',
  );
  expect(shapeOf(plan)).toEqual([['children', ['name', ['children', ['name', ['children', ['name']]]]]]]);
  expect(plan?.properties[0]?.plan?.properties[1]?.members).toEqual({ sort: 'name' });
});

// Asserts contract/fetch-plans.md#fetch-plans, contract/metadata.md#fetch-plans.
test('a nested plan and nested properties are joined', () => {
  const [plan] = parse(`<fetchPlan entity="t_Order" name="p">
    <property name="lines" fetchPlan="_instance_name"><property name="note"/></property>
  </fetchPlan>`);
  expect(shapeOf(plan)).toEqual([['lines', ['note']]]);
  expect(plan?.properties[0]?.plan?.name).toBe('_instance_name');
});

// Asserts contract/metadata.md#fetch-plans.
test('a nested plan that adds to an inherited one has the name that was given last', () => {
  const plans = parse(
    '<fetchPlan entity="t_Order" name="a"><property name="owner" fetchPlan="_local"/><property name="lines" fetchPlan="_local"/></fetchPlan>',
    '<fetchPlan entity="t_Order" name="b" extends="a"><property name="owner" fetchPlan="_instance_name"/><property name="lines"><property name="product"/></property></fetchPlan>',
  );
  const properties = plans.find(({ name }) => name === 'b')?.properties;
  expect(properties?.map(({ name, plan }) => [name, plan?.name])).toEqual([
    ['owner', '_instance_name'],
    ['lines', '_local'],
  ]);
});

// Asserts contract/fetch-plans.md#fetch-plans.
test('plans extend each other in any order and across files', () => {
  const plans = parse(
    '<fetchPlan entity="t_Order" name="b" extends="a"><property name="owner" fetchPlan="_instance_name"/></fetchPlan>',
    '<fetchPlan entity="t_Order" name="a"><property name="number"/></fetchPlan>',
  );
  expect(shapeOf(plans.find((plan) => plan.name === 'b'))).toEqual(['number', ['owner', ['name']]]);
});

// Asserts contract/fetch-plans.md#fetch-plans.
test('the first definition wins, unless a later one overwrites it or extends it by its own name', () => {
  const first = '<fetchPlan entity="t_Owner" name="p"><property name="name"/></fetchPlan>';
  const second = (attributes: string): string =>
    `<fetchPlan entity="t_Owner" name="p" ${attributes}><property name="version"/></fetchPlan>`;
  expect(parse(first, second('')).map(shapeOf)).toEqual([['name']]);
  expect(parse(first, second('overwrite="true"')).map(shapeOf)).toEqual([['version']]);
  expect(parse(first, second('extends="p"')).map(shapeOf)).toEqual([['name', 'version']]);
});

// Asserts contract/fetch-plans.md#fetch-plans.
test('systemProperties adds key, version and audit attributes', () => {
  const [plan] = parse(
    '<fetchPlan entity="t_Owner" name="p" systemProperties="true"><property name="name"/></fetchPlan>',
  );
  expect(shapeOf(plan)).toEqual([
    'id',
    'version',
    'createdDate',
    'createdBy',
    'lastModifiedDate',
    'lastModifiedBy',
    'name',
  ]);
});

// Asserts contract/fetch-plans.md#fetch-plans.
test('included resources are listed', () => {
  expect(includedResources({ name: 'x', text: '<fetchPlans><include file="more.xml"/></fetchPlans>' })).toEqual([
    'more.xml',
  ]);
});

// Asserts contract/fetch-plans.md#fetch-plans.
test.each([
  ['<fetchPlan entity="t_No" name="p"/>', 'plans1.xml, fetch plan p: is of the unknown entity t_No'],
  ['<fetchPlan entity="t_Owner"/>', 'plans1.xml: needs the attributes "name" and "entity"'],
  ['<fetchPlan entity="t_Owner" name="_base"/>', 'plans1.xml, fetch plan _base: is the name of a built-in plan'],
  [
    '<fetchPlan entity="t_Owner" name="p"><property name="x"/></fetchPlan>',
    'plans1.xml, fetch plan p: names the unknown attribute t_Owner.x',
  ],
  [
    '<fetchPlan entity="t_Owner" name="p"><property name="name"/><property name="name"/></fetchPlan>',
    'plans1.xml, fetch plan p: names t_Owner.name twice',
  ],
  [
    '<fetchPlan entity="t_Owner" name="p"><property name="name" fetchPlan="_local"/></fetchPlan>',
    'plans1.xml, fetch plan p: t_Owner.name is no reference',
  ],
  ['<fetchPlan entity="t_Owner" name="p" extends="q"/>', 'plans1.xml, fetch plan p: extends the unknown plan q'],
  [
    '<fetchPlan entity="t_Owner" name="p" extends="q"/><fetchPlan entity="t_Owner" name="q" extends="p"/>',
    'plans1.xml, fetch plan p: refers to itself in a ring',
  ],
  [
    '<fetchPlan entity="t_Order" name="p"><property name="lines" sort="x"/></fetchPlan>',
    'plans1.xml, fetch plan p: Invalid FetchPlan definition: lines: Cannot sort t_Line by x',
  ],
  [
    '<fetchPlan entity="t_Order" name="p"><property name="owner" limit="1"/></fetchPlan>',
    'plans1.xml, fetch plan p: Invalid FetchPlan definition: owner of t_Order is no collection of instances: it has no limit',
  ],
  [
    '<fetchPlan entity="t_Order" name="p"><property name="lines" depth="2"/></fetchPlan>',
    'lines of t_Order has no children of a tree: it has no depth',
  ],
  [
    '<fetchPlan entity="t_Part" name="p"><property name="children" depth="0"/></fetchPlan>',
    "children: Parameter 'depth' must be at least 1",
  ],
  [
    '<fetchPlan entity="t_Part" name="p"><property name="children" depth="101"/></fetchPlan>',
    'children has a depth above 100',
  ],
  ['<fetchPlan', /^plans1\.xml: line 1, column \d+: /],
])('%s is refused with a message that tells where', (text, message) => {
  expect(() => parse(text)).toThrow(StartError);
  expect(() => parse(text)).toThrow(message);
});
