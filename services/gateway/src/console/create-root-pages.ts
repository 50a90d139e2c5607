import type { IncomingMessage, ServerResponse } from 'node:http';
import { CONSOLE_PATH } from '@lintel/config';
import { ERROR_CODES, PlatformError } from '@lintel/errors';
import { accepts, PROBLEMS_PATH, pathOf, setRouteTemplate } from '@lintel/http';
import type { GatewayConfig } from '../config.ts';
import type { ConsoleServer } from './create-console.ts';
import { assertMethod, send } from './respond-to-get.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4e89"/><path d="M6 8h20v5H6zm3 5h5v12H9zm9 0h5v12h-5z" fill="#fff"/></svg>`;
const HTML = 'text/html; charset=utf-8';
const SECURITY_PATH = '/.well-known/security.txt';
/** RFC 9116 §2.5.5 recommends less than a year. */
const SECURITY_EXPIRES_MS = 180 * 24 * 3600_000;
const DAY_SECONDS = 24 * 3600;

export interface RootPagesOptions {
  readonly config: Pick<GatewayConfig, 'restPaths' | 'securityContact'>;
  /** Whether the console is served: `/` then leads to it. */
  readonly hasConsole: boolean;
  /** Whether the application responds to a path itself. */
  readonly isOfApplication: (path: string) => boolean;
  readonly clock: { now(): number };
}

/**
 * What browsers and people look for at the root of a server: `/` leads to the console, or is a page that names the
 * documents of the API; `/problems` explains the codes of errors; `/favicon.ico`; `/.well-known/security.txt` (RFC 9116). `/` stays 404 for clients that do not
 * accept HTML. A path of the application comes first.
 */
export function createRootPages({ config, hasConsole, isOfApplication, clock }: RootPagesOptions): ConsoleServer {
  const { basePath, docsPath } = config.restPaths;
  const page = Buffer.from(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>REST API</title>
<h1>REST API</h1>
<p>This server has a REST API: see its <a href=".${basePath}${docsPath}">documentation</a>.</p>
</html>
`);

  const problems = Object.entries(ERROR_CODES).map(
    ([code, { status, error, retryable }]) =>
      `<dt id="${code}">${code}<dd>${status} ${error}${retryable ? '; the request may be repeated later' : ''}\n`,
  );

  function sendText(request: IncomingMessage, response: ServerResponse, type: string, text: string | Buffer): void {
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', `public, max-age=${DAY_SECONDS}`);
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    send(request, response, Buffer.from(text));
  }

  const responses: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
    '/': (request, response) => {
      response.setHeader('Vary', 'Accept');
      const { accept = '' } = request.headers;
      if (!accept.includes('text/html') || !accepts(request, ['text/html']))
        throw new PlatformError('REQ_NOT_FOUND', 'There is nothing at /');
      // Relative, so that it is right below any prefix of a proxy.
      if (hasConsole) response.writeHead(302, { Location: `.${CONSOLE_PATH}/`, 'Content-Length': 0 }).end();
      else sendText(request, response, HTML, page);
    },
    [PROBLEMS_PATH]: (request, response) =>
      sendText(
        request,
        response,
        HTML,
        `<!doctype html>\n<html lang="en"><title>Errors</title>\n<h1>Errors</h1>\n<dl>\n${problems.join('')}</dl>\n`,
      ),
    '/favicon.ico': (request, response) => sendText(request, response, 'image/svg+xml', ICON),
    [SECURITY_PATH]: (request, response) => {
      const expires = new Date(clock.now() + SECURITY_EXPIRES_MS).toISOString();
      const text = `Contact: ${config.securityContact}\nExpires: ${expires}\n`;
      sendText(request, response, 'text/plain; charset=utf-8', text);
    },
  };

  return {
    owns: (path) =>
      Object.hasOwn(responses, path) &&
      !isOfApplication(path) &&
      (path !== SECURITY_PATH || config.securityContact !== undefined),
    async respond(request, response) {
      const path = pathOf(request.url ?? '');
      setRouteTemplate(response, path);
      if (assertMethod(request, response)) responses[path]?.(request, response);
    },
  };
}
