import { PlatformError } from '@lintel/errors';
import { matchesEntityTag } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { type ExplorerFile, explorerFile, fileOf } from './explorer-files.ts';
import { explorerPage } from './explorer-page.ts';

/** Permits only scripts, styles, pictures and requests of this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ExplorerOptions {
  readonly paths: { readonly basePath: string; readonly docsPath: string };
  /** Id of the public client that it logs in with; without one users enter a client. */
  readonly clientId: string | undefined;
}

/** `GET /docs`: a page that shows the detailed document and sends requests. */
export function registerExplorerRoutes(router: Router, { paths, clientId }: ExplorerOptions): void {
  const path = paths.docsPath;
  const segment = path.split('/').at(-1) ?? '';
  const depth = `${paths.basePath}${path}`.split('/').length - 2;
  const html = explorerPage({ docs: segment, root: '../'.repeat(depth) || './', clientId });
  const page = fileOf('text/html; charset=utf-8', Buffer.from(html));
  router.get(path, (request, response) => {
    const { pathname } = new URL(request.originalUrl, 'http://localhost');
    // Links are relative to the page.
    if (pathname.endsWith('/')) response.redirect(308, `../${segment}`);
    else respond(request, response, page);
  });
  router.get(`${path}/explorer/:file`, async (request: Request<{ file: string }>, response) => {
    const file = await explorerFile(request.params.file);
    if (file === undefined)
      throw new PlatformError('REQ_NOT_FOUND', `${request.params.file} is no file of the explorer`);
    respond(request as unknown as Request, response, file);
  });
}

function respond(request: Request, response: Response, { contentType, content, tag }: ExplorerFile): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', tag);
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', content.length);
  response.end(content);
}
