import { PrimarySamples } from './primary-samples.ts';

test('a position contains all commits up to the latest sample that is not after it', () => {
  const samples = new PrimarySamples(1_000);
  samples.note(100, 'B');
  samples.note(200, 'D');
  samples.note(300, 'D');
  expect(samples.momentOf('A')).toBeUndefined();
  expect(samples.momentOf('B')).toBe(100);
  expect(samples.momentOf('C')).toBe(100);
  // While the primary is idle, replicas do not age.
  expect(samples.momentOf('D')).toBe(300);
  expect(samples.momentOf('E')).toBe(300);
});

test('old samples are removed: a replica at such a position is too old', () => {
  const samples = new PrimarySamples(1_000);
  samples.note(100, 'B');
  samples.note(1_100, 'D');
  expect(samples.momentOf('B')).toBe(100);
  samples.note(1_101, 'E');
  expect(samples.momentOf('B')).toBeUndefined();
  expect(samples.momentOf('D')).toBe(1_100);
});
