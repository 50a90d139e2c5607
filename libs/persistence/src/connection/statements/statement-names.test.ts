import { StatementNames } from './statement-names.ts';

test('long texts ask for new connections after fewer names', () => {
  let overflows = 0;
  const names = new StatementNames(() => {
    overflows += 1;
  });
  const text = 'x'.repeat(32_000);
  for (let at = 0; at < 37; at += 1) names.note({ name: `s${at}`, text, values: [] });
  expect(overflows).toBe(0);
  names.note({ name: 'one more', text, values: [] });
  expect([overflows, names.size]).toEqual([1, 1]);
});

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
