import { MODEL, POST } from '../../test/blog-entities.ts';
import { tagOfVersion, toId, toRecord } from './records.ts';

test('an id of several attributes is a text for the page, and the same id for the service', () => {
  const record = toRecord(MODEL, POST, { id: { country: 'DE', code: '7' }, name: 'x' });
  expect(record).toEqual({ id: '{"country":"DE","code":"7"}', name: 'x' });
  expect(toId(record.id)).toEqual({ country: 'DE', code: '7' });
  expect([toId('a'), toId(5)]).toEqual(['a', 5]);
});

test('a record has names of instances and none of entities, also in references and children', () => {
  const link = { _entityName: 'blog_Link', _instanceName: 'one', id: 'l' };
  const instance = { _entityName: 'blog_Post', _instanceName: 'Post', id: 'p', title: 'Post', links: [link] };
  expect(toRecord(MODEL, POST, instance)).toEqual({
    _instanceName: 'Post',
    id: 'p',
    title: 'Post',
    links: [{ _instanceName: 'one', id: 'l' }],
  });
});

test('a JSON value with the name of an entity is as it is stored', () => {
  const title = { _entityName: 'blog_Post', text: 'Post' };
  expect(toRecord(MODEL, POST, { id: 'p', title })).toEqual({ id: 'p', title });
});

test('the version of a record is its tag', () => {
  expect(tagOfVersion({ id: 1, version: 3 })).toBe('"3."');
  expect([tagOfVersion({ id: 1 }), tagOfVersion(undefined)]).toEqual([undefined, undefined]);
});
