import { clientAddressOf } from '@lintel/http';
import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import type { AttemptGuard } from './attempts/attempt-guard.ts';
import { RETRY_AFTER_FAILURES } from './credentials/check-credentials.ts';
import { DEVICE_PATH, deviceCodePage } from './pages/device-pages.ts';
import { expiredPage } from './pages/pages.ts';
import type { FormReceiver } from './pages/receive-form.ts';
import { pageContextOf, sendPage } from './pages/send-page.ts';

export interface DeviceRoutesDeps {
  readonly showDevice: RequestHandler;
  /** Whether the browser has opened a page before. */
  readonly hasSession: (request: Request, response: Response) => Promise<boolean>;
  /** Receives a form; false if its code was wrong. */
  readonly submitDevice: (request: Request, response: Response, body: Buffer) => Promise<boolean>;
  readonly forms: FormReceiver;
  /** Limits guesses of user codes (RFC 8628 §5.1). */
  readonly guard: AttemptGuard;
}

const MAX_FORM_BYTES = 4 * 1024;

/** Routes of the pages on which a user connects a device. */
export function registerDeviceRoutes(router: Router, deps: DeviceRoutesDeps): void {
  router.get(DEVICE_PATH, deps.showDevice);
  router.get(`${DEVICE_PATH}/:uid`, (request, response, next) => resume(request, response, next, deps));
  router.post(DEVICE_PATH, (request, response) => submit(request, response, deps));
}

/** After the login page. */
async function resume(
  request: Request,
  response: Response,
  next: NextFunction,
  { hasSession, showDevice }: DeviceRoutesDeps,
): Promise<void> {
  if (await hasSession(request, response)) await showDevice(request, response, next);
  else sendPage(response, expiredPage(pageContextOf(request)));
}

async function submit(
  request: Request,
  response: Response,
  { forms, guard, hasSession, submitDevice }: DeviceRoutesDeps,
): Promise<void> {
  const body = await forms.receive(request, MAX_FORM_BYTES);
  if (!(await hasSession(request, response))) return sendPage(response, expiredPage(pageContextOf(request)));
  // One name for all codes: guesses are counted per address.
  const result = await guard.run({ name: 'device', address: clientAddressOf(request) }, async () => {
    const isRight = await submitDevice(request, response, body);
    return { kind: isRight ? 'refused' : 'wrong', value: undefined };
  });
  if (result.kind === 'made') return;
  response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  sendPage(response, deviceCodePage(pageContextOf(request), '', { problem: 'too-many' }));
}
