import { PrimarySamples } from './primary-samples.ts';

test('a place shows everything that was committed before the last moment at which the log ended there or earlier', () => {
  const samples = new PrimarySamples(1_000);
  samples.note(100, 'B');
  samples.note(200, 'D');
  samples.note(300, 'D');
  expect(samples.momentOf('A')).toBeUndefined();
  expect(samples.momentOf('B')).toBe(100);
  expect(samples.momentOf('C')).toBe(100);
  // A primary that has written nothing leaves nobody behind.
  expect(samples.momentOf('D')).toBe(300);
  expect(samples.momentOf('E')).toBe(300);
});

test('moments long ago are forgotten: whoever is still there is too far behind', () => {
  const samples = new PrimarySamples(1_000);
  samples.note(100, 'B');
  samples.note(1_100, 'D');
  expect(samples.momentOf('B')).toBe(100);
  samples.note(1_101, 'E');
  expect(samples.momentOf('B')).toBeUndefined();
  expect(samples.momentOf('D')).toBe(1_100);
});
