import { withoutPosition } from './without-position.ts';

test('the position at the end of a message is removed', () => {
  expect(withoutPosition('Unknown variable status: expected {E} (line 1, column 12)')).toBe(
    'Unknown variable status: expected {E}',
  );
});

test('all else of a message stays', () => {
  expect(withoutPosition('Expected ) (line 1, column 2) here')).toBe('Expected ) (line 1, column 2) here');
});
