import { PlatformError } from '@lintel/errors';
import type { Request, RequestHandler, Response, Router } from 'express';
import { END_SESSION_PATH } from './pages/logout-pages.ts';
import { expiredPage } from './pages/pages.ts';
import type { FormReceiver } from './pages/receive-form.ts';
import { pageContextOf, sendPage } from './pages/send-page.ts';

export interface LogoutRoutesDeps {
  /** Shows the pages of oidc-provider. */
  readonly show: RequestHandler;
  readonly hasSession: (request: Request, response: Response) => Promise<boolean>;
  /** Receives the form of such a page. */
  readonly submit: (request: Request, response: Response, path: string, body: Buffer) => Promise<void>;
  readonly forms: FormReceiver;
}

const MAX_FORM_BYTES = 16 * 1024;
/** As that of an authorization request. */
const MAX_QUERY_LENGTH = 8_192;

/** Routes of the logout that a client starts (OpenID Connect RP-Initiated Logout). */
export function registerLogoutRoutes(router: Router, deps: LogoutRoutesDeps): void {
  router.get(END_SESSION_PATH, deps.show);
  router.get(`${END_SESSION_PATH}/success`, deps.show);
  router.post(END_SESSION_PATH, (request, response) => toGet(request, response, deps));
  router.post(`${END_SESSION_PATH}/confirm`, async (request, response) => {
    const body = await deps.forms.receive(request, MAX_FORM_BYTES);
    if (!(await deps.hasSession(request, response))) return sendPage(response, expiredPage(pageContextOf(request)));
    await deps.submit(request, response, `${END_SESSION_PATH}/confirm`, body);
  });
}

/** With a form of another site browsers send no cookie; with the redirect they do. The user confirms the logout. */
async function toGet(request: Request, response: Response, { forms }: LogoutRoutesDeps): Promise<void> {
  const query = String(new URLSearchParams((await forms.receive(request, MAX_FORM_BYTES)).toString('utf8')));
  if (query.length > MAX_QUERY_LENGTH)
    throw new PlatformError('REQ_URL_TOO_LONG', `A logout request has at most ${MAX_QUERY_LENGTH} characters`);
  response.statusCode = 303;
  response.setHeader('Location', `${END_SESSION_PATH}?${query}`);
  response.setHeader('Content-Length', 0);
  response.end();
}
