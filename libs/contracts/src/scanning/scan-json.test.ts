import { scanJson } from './scan-json.ts';

test.each([
  ['{}', { nodes: 1, items: 0, depth: 1, values: 1 }],
  ['[]', { nodes: 0, items: 0, depth: 1, values: 1 }],
  ['"[{,"', { nodes: 0, items: 0, depth: 0, values: 0 }],
  ['[{},{"a":[1,2,[]],"b":{"c":"],[\\"{\\\\"}}]', { nodes: 6, items: 2, depth: 4, values: 10 }],
  [' [ 1 , "a" , [ true , { } ] , null ] ', { nodes: 6, items: 4, depth: 3, values: 7 }],
  ['{"ids":[1,2,3]}', { nodes: 4, items: 0, depth: 2, values: 4 }],
])('%s', (text, size) => {
  expect(scanJson(text, 200)).toEqual(size);
});

test('counting ends where the nesting is too deep', () => {
  expect(scanJson('[{"a":'.repeat(100_000), 200)).toMatchObject({ depth: 201 });
});
