import { LastRead } from './last-read.ts';

test('values of a form are compared with the record that they began with', () => {
  const lastRead = new LastRead();
  const record = lastRead.keep('blog_Post', { id: 'p1', version: 2, title: 'a' });
  expect(lastRead.find('blog_Post', 'p1', { title: 'b', version: 2 })).toBe(record);
  expect(lastRead.find('blog_Post', 'p1', { title: 'b' })).toBe(record);
  expect(lastRead.find('blog_Post', 'p1', { title: 'b', version: 1 })).toBeUndefined();
  expect(lastRead.find('blog_Tag', 'p1', {})).toBeUndefined();
  lastRead.forget('blog_Post', 'p1');
  expect(lastRead.find('blog_Post', 'p1', {})).toBeUndefined();
});

test('the oldest of many is forgotten', () => {
  const lastRead = new LastRead();
  for (let id = 0; id <= 500; id += 1) lastRead.keep('a', { id });
  expect(lastRead.find('a', 0, {})).toBeUndefined();
  expect(lastRead.find('a', 500, {})).toBeDefined();
});
