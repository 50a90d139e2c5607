import { PlatformError } from '@lintel/errors';
import type { Request, Response } from 'express';
import { listenerErrorResponder, toErrorHandler } from './respond-listener-error.ts';

test('an error without a principal is passed on, and not replaced by that of a missing token', () => {
  const respond = listenerErrorResponder({ id: 'test' } as Parameters<typeof listenerErrorResponder>[0], {
    currentMessages: () => {
      throw new Error('no text is needed');
    },
  });
  const error = new PlatformError('AUTH_UNAVAILABLE', 'The signing keys are not available');
  expect(respond(error, {} as Response)).toBe(false);
  const passed: unknown[] = [];
  void toErrorHandler(respond)(error, {} as Request, {} as Response, (next?: unknown) => void passed.push(next));
  expect(passed).toEqual([error]);
});
