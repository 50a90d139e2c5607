import { LazyChange } from './lazy-change.ts';

const changeOf = (made: string[]): LazyChange =>
  new LazyChange({
    entity: 'sales_Order',
    id: '1',
    change: 'updated',
    withChildren: false,
    before: () => {
      made.push('before');
      return { notes: 'old' };
    },
    after: () => {
      made.push('after');
      return { notes: 'new' };
    },
  });

test('a state is made when it is read, and once', () => {
  const made: string[] = [];
  const change = changeOf(made);
  expect(made).toEqual([]);
  expect(change.after).toBe(change.after);
  expect(made).toEqual(['after']);
});

test('a copy and a JSON text have both states', () => {
  const whole = {
    entity: 'sales_Order',
    id: '1',
    change: 'updated',
    withChildren: false,
    before: { notes: 'old' },
    after: { notes: 'new' },
  };
  expect({ ...changeOf([]) }).toEqual(whole);
  expect(JSON.parse(JSON.stringify(changeOf([])))).toEqual(whole);
});

test('a state may be absent', () => {
  const created = new LazyChange({ ...changeOf([]), before: () => undefined, after: () => ({}) });
  expect(created).toMatchObject({ before: undefined, after: {} });
});

test.each(['before', 'after'])('all changes share the getter of %p, so that none of them stays in memory', (name) => {
  const [first, second] = [changeOf([]), changeOf([])].map((change) => Object.getOwnPropertyDescriptor(change, name));
  expect(first?.get).toBeDefined();
  expect(first?.get).toBe(second?.get);
});
