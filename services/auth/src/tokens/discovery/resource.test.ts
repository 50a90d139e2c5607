import { isResource } from './resource.ts';

test.each([
  [[], true],
  [['https://api.example'], true],
  [['https://api.example/', 'https://api.example'], true],
  [['https://api.example/rest'], false],
  [['https://api.example', 'https://evil.example'], false],
  [['api.example'], false],
  [[''], false],
])('the resources %j are the API: %p', (indicators, expected) => {
  expect(isResource(indicators, 'https://api.example/')).toBe(expected);
});
