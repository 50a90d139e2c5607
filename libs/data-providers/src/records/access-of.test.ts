import { mayAccess } from './access-of.ts';

const permissions = {
  authorities: [],
  entities: [
    { target: 'blog_Post:read', value: 1 as const },
    { target: 'blog_Post:update', value: 1 as const },
    { target: 'blog_Post:delete', value: 0 as const },
  ],
  entityAttributes: [
    { target: 'blog_Post:title', value: 2 as const },
    { target: 'blog_Post:views', value: 1 as const },
    { target: 'blog_Post:secret', value: 0 as const },
  ],
  specifics: [],
};

test.each([
  ['list', undefined, true],
  ['show', undefined, true],
  ['edit', undefined, true],
  ['create', undefined, false],
  ['delete', undefined, false],
  ['read', 'views', true],
  ['write', 'views', false],
  ['write', 'title', true],
  ['read', 'secret', false],
  ['read', 'nothing', false],
])('%s of %s: %s', (action, attribute, expected) => {
  expect(mayAccess(permissions, 'blog_Post', action, attribute)).toBe(expected);
});

test('an unknown action is refused with those that are known', () => {
  expect(() => mayAccess(permissions, 'blog_Post', 'publish')).toThrow('The action publish is none of clone, create');
});
