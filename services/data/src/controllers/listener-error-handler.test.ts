import { PlatformError } from '@lintel/errors';
import type { Request, Response } from 'express';
import { listenerErrorHandler } from './listener-error-handler.ts';

test('an error without a principal is passed on, and not replaced by that of a missing token', () => {
  const handler = listenerErrorHandler({ id: 'test' } as Parameters<typeof listenerErrorHandler>[0], {
    currentMessages: () => {
      throw new Error('no text is needed');
    },
  });
  const error = new PlatformError('AUTH_UNAVAILABLE', 'The signing keys are not available');
  const passed: unknown[] = [];
  void handler(error, {} as Request, {} as Response, (next?: unknown) => void passed.push(next));
  expect(passed).toEqual([error]);
});
