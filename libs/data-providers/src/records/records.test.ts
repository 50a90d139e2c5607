import { tagOfVersion, toId, toRecord } from './records.ts';

test('an id of several attributes is a text for the page, and the same id for the service', () => {
  const record = toRecord({ id: { country: 'DE', code: '7' }, name: 'x' });
  expect(record).toEqual({ id: '{"country":"DE","code":"7"}', name: 'x' });
  expect(toId(record.id)).toEqual({ country: 'DE', code: '7' });
  expect([toId('a'), toId(5)]).toEqual(['a', 5]);
});

test('the version of a record is its tag', () => {
  expect(tagOfVersion({ id: 1, version: 3 })).toBe('"3."');
  expect([tagOfVersion({ id: 1 }), tagOfVersion(undefined)]).toEqual([undefined, undefined]);
});
