import { meets, targetOf } from './targets.ts';

test('a target is met within its error: 30 % for R1, 15 % for the others', () => {
  expect(meets(0.6, 0.85, 'R1')).toBe(true);
  expect(meets(0.59, 0.85, 'R1')).toBe(false);
  expect(meets(0.9, 1.05, 'R2')).toBe(true);
  expect(meets(0.89, 1.05, 'R2')).toBe(false);
});

test('systems of our own have targets, yardsticks have none', () => {
  expect(targetOf('data', 'R3')).toBe(1.15);
  expect(targetOf('data-without-listeners', 'W1')).toBe(0.85);
  expect(targetOf('gateway', 'R3')).toBe(0.9);
  expect(targetOf('forwarder-express', 'R3')).toBeUndefined();
  expect(targetOf('data', 'R5')).toBeUndefined();
});
