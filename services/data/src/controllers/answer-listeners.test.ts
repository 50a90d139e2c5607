import { PlatformError } from '@lintel/errors';
import type { Request, Response } from 'express';
import { answerListeners } from './answer-listeners.ts';

test('an error from before there was a caller is told as it is, not as a missing token', () => {
  const handler = answerListeners({ id: 'test' } as Parameters<typeof answerListeners>[0], {
    currentMessages: () => {
      throw new Error('no text is needed');
    },
  });
  const error = new PlatformError('AUTH_UNAVAILABLE', 'The signing keys are not available');
  const passed: unknown[] = [];
  void handler(error, {} as Request, {} as Response, (next?: unknown) => void passed.push(next));
  expect(passed).toEqual([error]);
});
