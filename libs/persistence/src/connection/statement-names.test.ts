import { StatementNames } from './statement-names.ts';

test('only new names beyond the limit ask for new connections', () => {
  let overflows = 0;
  const names = new StatementNames(() => {
    overflows += 1;
  }, 2);
  const note = (name?: string) => names.note({ ...(name === undefined ? {} : { name }), text: '', values: [] });
  for (const name of ['a', 'b', 'a', undefined, 'b']) note(name);
  expect(overflows).toBe(0);
  note('c');
  expect(overflows).toBe(1);
  note('a');
  note('c');
  expect(overflows).toBe(1);
});
