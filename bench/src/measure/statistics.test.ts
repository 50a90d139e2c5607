import { fc } from '@lintel/testkit/properties';
import { medianOf, quantileOf } from './statistics.ts';

test('a quantile is the value that the share of the values does not exceed', () => {
  const values = Array.from({ length: 100 }, (_, at) => at + 1);
  expect(quantileOf(values, 0.5)).toBe(50);
  expect(quantileOf(values, 0.99)).toBe(99);
  expect(quantileOf(values, 1)).toBe(100);
  expect(quantileOf(values, 0)).toBe(1);
  expect(quantileOf([], 0.5)).toBe(0);
});

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(medianOf([7])).toBe(7);
  expect(medianOf([])).toBe(0);
});

test('as many values lie below the median as above it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const median = medianOf(values);
      const below = values.filter((value) => value < median).length;
      const above = values.filter((value) => value > median).length;
      expect(below).toBeLessThanOrEqual(values.length / 2);
      expect(above).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});
