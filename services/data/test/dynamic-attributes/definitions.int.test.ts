import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const definition = (code: string, dataType = 'STRING', more: object = {}) => ({ name: code, code, dataType, ...more });
const define = async (...categoryAttrs: object[]) => {
  const response = await send('POST', 'dynat_Category', { name: 'Test', entityType: 't_Tag', categoryAttrs });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id as string;
};
const plan = encodeURIComponent(
  JSON.stringify({
    entity: 'dynat_Category',
    properties: ['name', { name: 'categoryAttrs', fetchPlan: { properties: ['code', 'categoryEntityType'] } }],
  }),
);
const attributesOf = async (category: string) =>
  (await send('GET', `dynat_Category/${category}?fetchPlan=${plan}`)).json().categoryAttrs;
let number = 0;
const newTag = async (values: object) => {
  number += 1;
  return (await send('POST', 't_Tag', { name: `tag ${number}`, ...values })).json();
};
const refusal = async (method: string, path: string, body: unknown) => {
  const response = await send(method, path, body);
  const items = Array.isArray(response.json()) ? response.json() : undefined;
  return [response.status, items?.map((item: { path: string; message: string }) => [item.path, item.message])];
};

// Asserts contract/dynamic-attributes.md#dynamic-attributes.
test('a definition is written like any instance, and is effective when the response arrives', async () => {
  const category = await define(definition('first'));
  const tag = await newTag({ '+first': 'one', '+second': 'ignored' });
  expect(tag).toMatchObject({ '+first': 'one' });
  expect(tag).not.toHaveProperty('+second');
  const [first] = await attributesOf(category);
  expect(first).toMatchObject({ _instanceName: 'first (first)', code: 'first', categoryEntityType: 't_Tag' });
  expect(
    (await send('POST', 'dynat_CategoryAttribute', { ...definition('second'), category: { id: category } })).status,
  ).toBe(201);
  const updated = await send('PUT', `t_Tag/${tag.id}`, { '+second': 'two' });
  expect(updated.json()).toMatchObject({ '+first': 'one', '+second': 'two' });
});

test('a deleted definition has no effect any more, nor have its values; its code can be used again', async () => {
  const category = await define(definition('leaving'));
  const tag = await newTag({ '+leaving': 'old' });
  const [leaving] = await attributesOf(category);
  expect((await send('DELETE', `dynat_CategoryAttribute/${leaving.id}`)).status).toBe(204);
  expect((await send('GET', `t_Tag/${tag.id}?dynamicAttributes=true`)).json()).not.toHaveProperty('+leaving');
  await define(definition('leaving', 'INTEGER'));
  expect((await send('PUT', `t_Tag/${tag.id}`, { '+leaving': 1 })).json()).toMatchObject({ '+leaving': 1 });
});

test('deleting a category deletes its definitions', async () => {
  const category = await define(definition('whole'));
  expect((await send('DELETE', `dynat_Category/${category}`)).status).toBe(204);
  expect(await newTag({ '+whole': 'x' })).not.toHaveProperty('+whole');
});

test('instances are read where a text has a blank entityClass', async () => {
  await define(definition('blankClass', 'STRING', { entityClass: ' ' }));
  const tag = await newTag({ '+blankClass': 'x' });
  const read = await send('GET', `t_Tag/${tag.id}?dynamicAttributes=true`);
  expect([read.status, read.json()]).toEqual([200, expect.objectContaining({ '+blankClass': 'x' })]);
});

test('a code is unique per entity, across categories', async () => {
  await define(definition('twice'));
  const again = await send('POST', 'dynat_Category', {
    name: 'Other',
    entityType: 't_Tag',
    categoryAttrs: [definition('twice')],
  });
  expect([again.status, again.json().error]).toEqual([409, 'Unique constraint violation']);
  expect(again.json().details).toContain('code');
});

describe('an invalid definition is refused', () => {
  test.each([
    ['an unknown entity', { entityType: 't_Nothing' }, [['entityType', 'There is no stored entity t_Nothing']]],
    ['an entity that is not stored', { entityType: 't_Quote' }, [['entityType', 'There is no stored entity t_Quote']]],
    [
      'an entity with a composite key',
      { entityType: 't_Rate' },
      [['entityType', 'The key of t_Rate is neither a UUID nor a text nor an integer']],
    ],
  ])('a category of %s', async (_, values, items) => {
    expect(await refusal('POST', 'dynat_Category', { name: 'Bad', ...values })).toEqual([400, items]);
  });

  test.each([
    ['a code with a capital', definition('Bad'), 'code'],
    ['a code with a blank', definition('bad code'), 'code'],
    ['no name', { code: 'bad', dataType: 'STRING' }, 'name'],
    ['no type', { code: 'bad', name: 'bad' }, 'dataType'],
    ['a reference to no entity', definition('bad', 'ENTITY'), ''],
    ['a text that refers to an entity', definition('bad', 'STRING', { entityClass: 't_Tag' }), ''],
    ['an enumeration without values', definition('bad', 'ENUMERATION'), ''],
    ['a reference to an unknown entity', definition('bad', 'ENTITY', { entityClass: 't_Nothing' }), 'entityClass'],
    ['a reference to a composite key', definition('bad', 'ENTITY', { entityClass: 't_Rate' }), 'entityClass'],
  ])('%s', async (_, attribute, path) => {
    const category = await define();
    const refused = await refusal('POST', 'dynat_CategoryAttribute', { ...attribute, category: { id: category } });
    expect(refused).toEqual([400, expect.arrayContaining([[path, expect.any(String)]])]);
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes.
  test('an unknown type', async () => {
    const refused = await send('POST', 'dynat_Category', {
      name: 'Bad',
      entityType: 't_Tag',
      categoryAttrs: [definition('bad', 'COLOUR')],
    });
    expect([refused.status, refused.json().details]).toEqual([400, expect.stringContaining('STRING, INTEGER')]);
  });
});

test('the properties that determine how values are stored cannot be changed later', async () => {
  const category = await define(definition('fixed'));
  const [fixed] = await attributesOf(category);
  const path = `dynat_CategoryAttribute/${fixed.id}`;
  const sentence = 'Cannot be changed once it is saved: delete this and define another';
  expect(await refusal('PUT', path, { dataType: 'INTEGER' })).toEqual([400, [['dataType', sentence]]]);
  expect(await refusal('PUT', path, { isCollection: true })).toEqual([400, [['isCollection', sentence]]]);
  expect(await refusal('PUT', `dynat_Category/${category}`, { entityType: 't_Order' })).toEqual([
    400,
    [['entityType', sentence]],
  ]);
  expect((await send('PUT', path, { name: 'Renamed', code: 'renamed' })).status).toBe(200);
  expect(await newTag({ '+renamed': 'x' })).toMatchObject({ '+renamed': 'x' });
});
