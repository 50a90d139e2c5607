import { POSTS } from '../../test/blog-entities.ts';
import { filterOf } from './filter-of.ts';

const condition = (property: string, operator: string, value: unknown) => ({ property, operator, value });

test.each([
  [undefined, []],
  [{ title: undefined, views: '' }, []],
  [{ title: 'Hello' }, [condition('title', '=', 'Hello')]],
  [{ title: null, views_neq: null }, [condition('title', 'isNull', true), condition('views', 'notEmpty', true)]],
  [{ views: [1, 2] }, [condition('views', 'in', [1, 2])]],
  [{ views_neq: [1, 2] }, [condition('views', 'notIn', [1, 2])]],
  [{ views_gte: 1, views_lt: 9 }, [condition('views', '>=', 1), condition('views', '<', 9)]],
  // An attribute with such a name.
  [{ views_gt: 3 }, [condition('views_gt', '=', 3)]],
  [{ title_q: 'ell' }, [condition('title', 'contains', 'ell')]],
  [{ 'author.id': 'u1' }, [condition('author.id', '=', 'u1')]],
  [{ author: { id: 'u1' } }, [condition('author.id', '=', 'u1')]],
  [{ author: { name_q: 'ad' } }, [condition('author.name', 'contains', 'ad')]],
  [
    { q: 'ell' },
    [{ group: 'OR', conditions: [condition('title', 'contains', 'ell'), condition('slug', 'contains', 'ell')] }],
  ],
])('%j', (filter, conditions) => {
  expect(filterOf(POSTS, filter)).toEqual({ conditions });
});

test('a search in a resource without texts is refused', () => {
  expect(() => filterOf({ ...POSTS, searched: [] }, { q: 'x' })).toThrow('The resource posts has no text');
});
