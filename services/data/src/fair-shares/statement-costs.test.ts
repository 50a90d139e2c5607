import { StatementCosts } from './statement-costs.ts';

test('a statement is heavy while it takes long, and no longer when it is quick again', () => {
  const costs = new StatementCosts();
  expect(costs.kindOf('a')).toBe('untried');
  costs.note('a', 2_000);
  costs.note('b', 3);
  expect([costs.kindOf('a'), costs.kindOf('b')]).toEqual(['heavy', 'ordinary']);
  for (let each = 0; each < 20; each += 1) costs.note('a', 5);
  expect(costs.kindOf('a')).toBe('ordinary');
});

test('of very many slow statements only those executed last are remembered', () => {
  const costs = new StatementCosts();
  for (let each = 0; each <= 2_000; each += 1) costs.note(`s${each}`, 1_000);
  expect([costs.kindOf('s0'), costs.kindOf('s1'), costs.kindOf('s2000')]).toEqual(['ordinary', 'heavy', 'heavy']);
});

test('a statement is heavy as soon as it has run long, before it has ended', () => {
  const costs = new StatementCosts();
  costs.noteSlow('a');
  expect([costs.kindOf('a'), costs.kindOf('b')]).toEqual(['heavy', 'untried']);
  costs.note('a', 4_000);
  costs.noteSlow('a');
  expect(costs.kindOf('a')).toBe('heavy');
});

test('of very many quick statements the oldest are forgotten', () => {
  const costs = new StatementCosts();
  for (let each = 0; each <= 10_000; each += 1) costs.note(`s${each}`, 1);
  expect([costs.kindOf('s0'), costs.kindOf('s1'), costs.kindOf('s10000')]).toEqual(['untried', 'ordinary', 'ordinary']);
});

test('a statement that was quick before is heavy when it takes very long, or long again and again', () => {
  const costs = new StatementCosts();
  costs.note('a', 5);
  costs.note('a', 300);
  costs.noteSlow('a');
  expect(costs.kindOf('a')).toBe('ordinary');
  for (let each = 0; each < 6; each += 1) costs.note('a', 300);
  costs.note('b', 5);
  costs.note('b', 2_000);
  expect([costs.kindOf('a'), costs.kindOf('b')]).toEqual(['heavy', 'heavy']);
});
