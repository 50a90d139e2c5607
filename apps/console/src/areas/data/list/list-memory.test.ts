import { keepList, keepRows, keptList, neighboursOf } from './list-memory.ts';

const filter = { conditions: [{ property: 'city', operator: '=', value: 'Rome' }] };
const stored = new Map<string, string>();

beforeAll(() => {
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});
beforeEach(() => stored.clear());

test('a list is opened with its last columns, sort and filter, without words and count', () => {
  keepList('anna', 'Order', { filter, columns: 'number,date', sort: '-date', words: 'x', count: 'exact' });
  expect(keptList('anna', 'Order')).toEqual({ filter, columns: 'number,date', sort: '-date' });
  expect([keptList('ben', 'Order'), keptList('anna', 'Customer')]).toEqual([{}, {}]);
});

test('values of filters are not stored on the device', () => {
  keepList('anna', 'Order', { filter, sort: 'number' });
  expect([...stored.values()].join()).not.toContain('Rome');
});

test('nothing is stored of a list that is shown as at first', () => {
  keepList('anna', 'Order', { sort: 'number' });
  keepList('anna', 'Order', {});
  expect([stored.size, keptList('anna', 'Order')]).toEqual([0, {}]);
});

test.each(['{"broken', 'null', '[]', '7'])('the stored text %s counts as no list', (text) => {
  stored.set('lintel-console.lists', text);
  expect(keptList('anna', 'Order')).toEqual({});
  keepList('anna', 'Order', { sort: 'number' });
  expect(keptList('anna', 'Order')).toEqual({ sort: 'number' });
});

test('a form knows the rows before and after it, of the list that was shown last', () => {
  keepRows(['/a', '/b', '/c']);
  expect(neighboursOf('/b')).toEqual({ previous: '/a', next: '/c' });
  expect(neighboursOf('/a')).toEqual({ previous: undefined, next: '/b' });
  expect(neighboursOf('/d')).toEqual({ previous: undefined, next: undefined });
});
