import { resolveModule } from './resolve-module.ts';

const PAGE = 'https://shop.example/console/';

test('the module is relative to the page', () => {
  expect(resolveModule('extension/index.js', PAGE)).toBe('https://shop.example/console/extension/index.js');
  expect(resolveModule('/other/index.js', PAGE)).toBe('https://shop.example/other/index.js');
});

test.each([
  'https://evil.example/index.js',
  '//evil.example/index.js',
  'http://shop.example/index.js',
  'data:text/javascript,1',
])('%s is refused: the code of an extension has the rights of the user', (address) => {
  expect(() => resolveModule(address, PAGE)).toThrow('The extension must be on https://shop.example');
});
