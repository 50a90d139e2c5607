import { forgetRecord, keepRecord, keptRecords } from './kept-records.ts';

const store = new Map<string, string>();
beforeAll(() => {
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    },
  });
});
beforeEach(() => store.clear());
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('the last eight records are kept for each user, each once, the last one first', () => {
  for (let id = 1; id <= 9; id++) keepRecord('recent', 'ann', { entityName: 'Order', id: String(id) });
  keepRecord('recent', 'ann', { entityName: 'Order', id: '5' });
  keepRecord('recent', 'bob', { entityName: 'Order', id: '1' });
  expect(keptRecords('recent', 'ann').map(({ id }) => id)).toEqual(['5', '9', '8', '7', '6', '4', '3', '2']);
  expect(keptRecords('recent', 'bob')).toEqual([{ entityName: 'Order', id: '1' }]);
});

test.each(['no JSON', '[1]', 'null', '{"ann":{}}', '{"ann":[null,{"id":1}]}'])(
  'no record is read from %s, which another program has written',
  (stored) => {
    store.set('lintel-console.recent', stored);
    expect(keptRecords('recent', 'ann')).toEqual([]);
  },
);

test('a favourite is kept until it is removed, apart from what was opened', () => {
  keepRecord('favourites', 'ann', { entityName: 'Order', id: '' });
  keepRecord('favourites', 'ann', { entityName: 'Order', id: '1' });
  forgetRecord('favourites', 'ann', { entityName: 'Order', id: '' });
  expect(keptRecords('favourites', 'ann')).toEqual([{ entityName: 'Order', id: '1' }]);
  expect(keptRecords('recent', 'ann')).toEqual([]);
});
