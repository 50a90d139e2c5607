import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { CONSOLE_PATH } from '@lintel/config';
import { PlatformError } from '@lintel/errors';
import { matchesEntityTag, pathOf, setRouteTemplate } from '@lintel/http';
import { chooseCoding } from '../compression/choose-coding.ts';
import { codedTag } from '../compression/coded-tags.ts';
import type { GatewayConfig } from '../config.ts';
import { type ConsoleFile, readConsoleFiles, STATIC_CODINGS } from './console-files.ts';
import { createConsolePage, type PageConfig } from './console-page.ts';
import { assertMethod, send } from './respond-to-get.ts';

/** Serves the console. */
export interface ConsoleServer {
  /** Whether a path belongs to the console. */
  owns(path: string): boolean;
  /** Responds to a request for such a path; rejects with a `PlatformError`. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const PAGE = 'index.html';
const NONCE_BYTES = 16;
/** Where the files of the extension are. */
const EXTENSION = 'extension/';
const EXTENSION_MODULE = 'index.js';
/** A page of the console: its first segment is the name of an area; files are in `assets` and `extension`. */
const CLIENT_ROUTE = /^(?:$|(?!(?:assets|extension)(?:\/|$))[a-z][a-z-]*(?:\/|$))/;

/**
 * The console from its built files, which are read now, with those of the extension.
 *
 * @param extension folder of the extension; without one there is none
 * @throws Error if they cannot be read
 */
export function createConsole(
  folder: URL,
  config: PageConfig & Pick<GatewayConfig, 'minCodedBytes'>,
  extension?: URL,
): ConsoleServer {
  const files = new Map([...readConsoleFiles(folder), ...(extension === undefined ? [] : readExtension(extension))]);
  const built = files.get(PAGE);
  if (built === undefined) throw new Error(`There is no ${PAGE} in ${folder}`);
  const pageOf = createConsolePage(
    built.content.toString(),
    config,
    extension === undefined ? undefined : `${EXTENSION}${EXTENSION_MODULE}`,
  );
  const { minCodedBytes } = config;

  function sendPage(request: IncomingMessage, response: ServerResponse): void {
    const { html, policy } = pageOf(randomBytes(NONCE_BYTES).toString('base64'));
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Content-Type', built?.contentType ?? '');
    // Without a tag: each response has a nonce of its own.
    response.setHeader('Cache-Control', 'no-cache');
    send(request, response, Buffer.from(html));
  }

  async function sendFile(request: IncomingMessage, response: ServerResponse, file: ConsoleFile): Promise<void> {
    const isCoded = file.isCompressible && file.content.length >= minCodedBytes;
    const coding = isCoded ? chooseCoding(request.headers['accept-encoding'], STATIC_CODINGS).coding : undefined;
    const tag = coding === undefined ? file.tag : codedTag(file.tag, coding);
    response.setHeader('Cache-Control', file.cacheControl);
    response.setHeader('ETag', tag);
    if (isCoded) response.setHeader('Vary', 'Accept-Encoding');
    if (matchesEntityTag(request.headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', file.contentType);
    if (coding !== undefined) response.setHeader('Content-Encoding', coding);
    send(request, response, coding === undefined ? file.content : await file.encoded(coding));
  }

  return {
    owns: (path) => path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`),
    async respond(request, response) {
      setRouteTemplate(response, `${CONSOLE_PATH}/**`);
      if (!assertMethod(request, response)) return;
      const path = pathOf(request.url ?? '');
      response.setHeader('Referrer-Policy', 'no-referrer');
      if (path === CONSOLE_PATH) {
        // Relative, so that it is right below any prefix of a proxy.
        response.writeHead(308, { Location: `.${CONSOLE_PATH}/`, 'Content-Length': 0 }).end();
        return;
      }
      const name = path.slice(CONSOLE_PATH.length + 1);
      const file = name === PAGE ? undefined : files.get(name);
      if (file !== undefined) await sendFile(request, response, file);
      else if (name === PAGE || CLIENT_ROUTE.test(name)) sendPage(request, response);
      else throw new PlatformError('REQ_NOT_FOUND', `There is nothing at ${path}`);
    },
  };
}

/** The files of the extension, by their paths below that of the console. @throws Error without its module */
function readExtension(folder: URL): readonly (readonly [string, ConsoleFile])[] {
  if (!existsSync(new URL(EXTENSION_MODULE, folder)))
    throw new Error(`svc.console.extension: there is no ${EXTENSION_MODULE} in ${fileURLToPath(folder)}`);
  return [...readConsoleFiles(folder)].map(([path, file]) => [`${EXTENSION}${path}`, file] as const);
}
