import { MODEL, POST } from '../../test/blog-entities.ts';
import { toInput } from './to-input.ts';

const stored = {
  id: 'p1',
  version: 3,
  _entityName: 'blog_Post',
  _instanceName: 'Hello',
  title: 'Hello',
  views: 5,
  slug: 'hello',
  author: { id: 'u1', _entityName: 'blog_User', _instanceName: 'Ada' },
  tags: [{ id: 't1', _instanceName: 'news' }],
  links: [{ id: 'l1', version: 1, url: 'https://one.example' }],
};

test('a new record is sent with references as ids, and without what the service sets', () => {
  expect(toInput(MODEL, POST, { ...stored, id: undefined, unknown: 1 })).toEqual({
    title: 'Hello',
    views: 5,
    author: { id: 'u1' },
    tags: [{ id: 't1' }],
    links: [{ id: 'l1', url: 'https://one.example' }],
  });
});

test('collections that were read in part are named with a change', () => {
  const part = { ...stored, _partial: ['links'] };
  expect(toInput(MODEL, POST, part, part)).toEqual({});
  expect(toInput(MODEL, POST, { ...part, links: [] }, part)).toEqual({ links: [], _partial: ['links'] });
});

test('of a changed record only the changes are sent', () => {
  expect(toInput(MODEL, POST, stored, stored)).toEqual({});
  expect(
    toInput(
      MODEL,
      POST,
      { ...stored, views: '6', author: 'u2', links: [...stored.links, { url: 'https://two.example' }] },
      stored,
    ),
  ).toEqual({
    views: 6,
    author: { id: 'u2' },
    links: [{ id: 'l1', url: 'https://one.example' }, { url: 'https://two.example' }],
  });
});

test.each([
  [{ views: '' }, { views: null }],
  [{ title: '' }, { title: '' }],
  [{ author: null }, { author: null }],
  [{ author: { id: '' } }, { author: null }],
  [{ author: { id: null } }, { author: null }],
  [{ views: '-1' }, { views: -1 }],
  [{ views: 'many' }, { views: 'many' }],
  [{ tags: [] }, { tags: [] }],
  [
    { id: 'p9', title: 'x' },
    { id: 'p9', title: 'x' },
  ],
])('%j becomes %j', (values, input) => {
  expect(toInput(MODEL, POST, values)).toEqual(input);
});

test('a number and its text, and nothing and an empty text, are no change', () => {
  expect(toInput(MODEL, POST, { views: '5', title: '' }, { views: 5, title: null })).toEqual({});
});
