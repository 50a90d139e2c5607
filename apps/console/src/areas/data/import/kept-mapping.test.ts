import { keepMapping, keptMapping } from './kept-mapping.ts';

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  });
});
afterAll(() => Reflect.deleteProperty(globalThis, 'localStorage'));

test('the last mapping of a table is kept for each user, and of 20 tables', () => {
  const mapping = { table: 'a', columns: { Name: 'name', Note: null }, key: 'name' };
  keepMapping('ada', { ...mapping, key: '' });
  keepMapping('ada', mapping);
  expect([keptMapping('ada', 'a'), keptMapping('bo', 'a'), keptMapping('ada', 'b')]).toEqual([
    mapping,
    undefined,
    undefined,
  ]);
  for (let at = 0; at < 20; at += 1) keepMapping('ada', { ...mapping, table: `t${at}` });
  expect([keptMapping('ada', 'a'), keptMapping('ada', 't0')]).toEqual([undefined, { ...mapping, table: 't0' }]);
});

test.each(['{', '[]', '7', '{"ada":[null,7,{"table":"a"},{"table":"a","key":"","columns":null}]}'])(
  'the text %s of another program holds no mapping',
  (text) => {
    stored.set('lintel-console.imports', text);
    expect(keptMapping('ada', 'a')).toBeUndefined();
  },
);

test('a storage without room keeps nothing, and is no failure', () => {
  localStorage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  keepMapping('ada', { table: 'a', columns: {}, key: '' });
  expect(keptMapping('ada', 'a')).toBeUndefined();
});
