import { POSTS } from '../../test/blog-entities.ts';
import { filterOf, type RefineFilter } from './filter-of.ts';

const condition = (property: string, operator: string, value: unknown) => ({ property, operator, value });
const filter = (field: string, operator: string, value: unknown): RefineFilter => ({ field, operator, value });

test.each([
  [[], []],
  [[filter('title', 'contains', '')], []],
  [[filter('title', 'contains', 'ell')], [condition('title', 'contains', 'ell')]],
  [
    [filter('views', 'gte', 3), filter('title', 'ne', 'x')],
    [condition('views', '>=', 3), condition('title', '<>', 'x')],
  ],
  [[filter('title', 'null', true)], [condition('title', 'isNull', true)]],
  [[filter('title', 'nnull', true)], [condition('title', 'notEmpty', true)]],
  [[filter('title', 'eq', null)], [condition('title', 'isNull', true)]],
  [[filter('id', 'in', ['a', '{"k":1}'])], [condition('id', 'in', ['a', { k: 1 }])]],
  [
    [filter('views', 'between', [1, 5])],
    [{ group: 'AND', conditions: [condition('views', '>=', 1), condition('views', '<=', 5)] }],
  ],
  [
    [filter('views', 'nbetween', [1, 5])],
    [{ group: 'OR', conditions: [condition('views', '<', 1), condition('views', '>', 5)] }],
  ],
  [
    [{ operator: 'or', value: [filter('title', 'eq', 'a'), filter('views', 'lt', 2)] }],
    [{ group: 'OR', conditions: [condition('title', '=', 'a'), condition('views', '<', 2)] }],
  ],
  [[{ operator: 'or', value: [] }], []],
  [
    [filter('q', 'contains', 'ell')],
    [{ group: 'OR', conditions: [condition('title', 'contains', 'ell'), condition('slug', 'contains', 'ell')] }],
  ],
])('%j', (filters, conditions) => {
  expect(filterOf(POSTS, filters)).toEqual({ conditions });
});

test('an operator that the API does not have is refused', () => {
  expect(() => filterOf(POSTS, [filter('title', 'containss', 'x')])).toThrow(
    'The filter containss of title is none of',
  );
});
