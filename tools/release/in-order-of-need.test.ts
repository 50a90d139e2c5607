import { inOrderOfNeed } from './in-order-of-need.mjs';

test('a package comes after those that it depends on', () => {
  const packages = [
    { description: { name: 'cli', dependencies: { platform: '1.0.0', other: '1.0.0' } } },
    { description: { name: 'create' } },
    { description: { name: 'platform', dependencies: { pg: '8.0.0' } } },
  ];
  expect(inOrderOfNeed(packages).map(({ description }) => description.name)).toEqual(['platform', 'cli', 'create']);
});
