import { checkParts } from './check-parts.ts';

const component = () => null;
const run = () => {};

test('parts of all kinds are accepted, and so is an extension without any', () => {
  const parts = {
    pages: [{ path: 'stock-2', title: { en: 'Stock' }, component }],
    columns: [{ entity: 'a_B', name: 'age', title: 'Age', component }],
    fields: [
      { datatype: 'json', component },
      { entity: 'a_B', attribute: 'c', component },
    ],
    actions: [{ entity: 'a_B', on: 'list', name: 'close', title: 'Close', run }],
  };
  expect(checkParts(parts)).toBe(parts);
  expect(checkParts({})).toEqual({});
});

test.each([
  [undefined, 'returns no object'],
  [{ page: [] }, 'The console knows no "page"; use pages, columns, fields, actions'],
  [{ pages: {} }, 'pages is no array'],
  [{ pages: [{ path: 'stock', component }] }, 'pages[0] has no title'],
  [{ pages: [null] }, 'pages[0] has no path, title, component'],
  [{ pages: [{ path: '../data', title: 'Data', component }] }, 'pages[0].path may have lower-case letters'],
  [{ columns: [{ entity: 'a_B' }] }, 'columns[0] has no name, title, component'],
  [{ fields: [{ entity: 'a_B', component }] }, 'fields[0] has neither a datatype nor an entity with an attribute'],
  [{ actions: [{ entity: 'a_B', on: 'row', name: 'x', title: 'X', run }] }, 'actions[0].on must be "list" or'],
])('%j is refused: %s', (returned, message) => {
  expect(() => checkParts(returned)).toThrow(message);
});
