import { isStartError, PlatformError, StartError } from './index.ts';

class WrongFile extends StartError {}

test('errors of a start are distinguished from bugs and refusals', () => {
  expect(
    [new WrongFile('x'), new Error('x'), new PlatformError('INTERNAL_ERROR'), 'x', null].map(isStartError),
  ).toEqual([true, false, false, false, false]);
});
