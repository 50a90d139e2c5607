import type { IncomingMessage, ServerResponse } from 'node:http';
import { loginTexts } from '../texts/texts.ts';
import { type Page, type PageContext, STYLE_SOURCE } from './pages.ts';

/** Language and texts of the pages, by the `Accept-Language` of the browser. */
export function pageContextOf(request: IncomingMessage): PageContext {
  const { locale, texts } = loginTexts(request.headers['accept-language']);
  return { language: locale.replace('_', '-'), texts };
}

/**
 * Headers of all pages: no external resources, no frames, no caching, no script but the one of passkeys.
 *
 * @param redirectUri the final redirect of the form; browsers apply `form-action` to redirects, too
 */
export function pageHeaders(redirectUri?: string, usesScript = false): Readonly<Record<string, string>> {
  const target = redirectUri !== undefined && URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const destination = target === undefined ? '' : ` ${target.origin === 'null' ? target.protocol : target.origin}`;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE};${usesScript ? " script-src 'self';" : ''} form-action 'self'${destination}; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

export function sendPage(response: ServerResponse, page: Page, redirectUri?: string): void {
  for (const [name, value] of Object.entries(pageHeaders(redirectUri, page.usesScript)))
    response.setHeader(name, value);
  response.statusCode = page.status;
  response.setHeader('Content-Length', Buffer.byteLength(page.html));
  response.end(page.html);
}
