import { CONSOLE_CLIENT, CONSOLE_PATH, explorerClientOf } from '@lintel/config';
import type { GatewayConfig } from '../config.ts';

/** In the built page, where each response has another value. */
const NONCE = /LINTEL_CONSOLE_NONCE/g;
const BASE = /<base href="[^"]*">/;
const SETTINGS = /<meta name="lintel-console" content="[^"]*">/;

/** What the page says about the server. */
export type PageConfig = Pick<GatewayConfig, 'restPaths'> & {
  readonly platform: Pick<GatewayConfig['platform'], 'issuer' | 'consoleEnabled' | 'explorerClient'>;
};

/** The page of the console as it is sent, and the policy that is sent with it. */
export interface ConsolePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page with the paths of this server. Scripts are files of this server; the styles that the kit adds while it runs
 * have the nonce of the response. Nothing else is permitted, nor are requests to anywhere else.
 *
 * @param extension path of its module, relative to the page
 * @returns a function of the nonce
 */
export function createConsolePage(
  built: string,
  { restPaths, platform }: PageConfig,
  extension?: string,
): (nonce: string) => ConsolePage {
  const prefix = new URL(platform.issuer).pathname.replace(/\/+$/, '');
  const settings = attribute(
    JSON.stringify({ clientId: CONSOLE_CLIENT, ...pathsOf({ restPaths, platform }), extension }),
  );
  // Functions, since `$` has a meaning in replacements.
  const html = built
    .replace(BASE, () => `<base href="${attribute(`${prefix}${CONSOLE_PATH}`)}/">`)
    .replace(SETTINGS, () => `<meta name="lintel-console" content="${settings}">`);
  return (nonce) => ({ html: html.replace(NONCE, nonce), policy: policyOf(nonce) });
}

/** What the client of the console needs to know, and the paths that it has no method for. */
function pathsOf({ restPaths, platform }: PageConfig) {
  const { basePath } = restPaths;
  return {
    paths: {
      base: basePath,
      entities: `${basePath}${restPaths.entitiesPath}`,
      queries: `${basePath}${restPaths.queriesPath}`,
      services: `${basePath}${restPaths.servicesPath}`,
      changes: `${basePath}${restPaths.changesPath}`,
      files: `${basePath}${restPaths.filesPath}`,
      metadata: `${basePath}${restPaths.metadataPath}`,
      messages: `${basePath}${restPaths.messagesPath}`,
      permissions: `${basePath}${restPaths.permissionsPath}`,
      userInfo: `${basePath}${restPaths.userInfoPath}`,
      userSession: `${basePath}${restPaths.userSessionPath}`,
      tickets: `${basePath}${restPaths.ticketsPath}`,
    },
    endpoints: {
      // Without a client, the page of the explorer needs a token, which a link cannot have.
      ...(explorerClientOf(platform) !== undefined && { docs: `${basePath}${restPaths.docsPath}` }),
      apiKeys: `${basePath}${restPaths.apiKeysPath}`,
      clients: `${basePath}${restPaths.clientsPath}`,
      operations: `${basePath}${restPaths.operationsPath}`,
      rights: `${basePath}${restPaths.rightsPath}`,
      capabilities: `${basePath}${restPaths.capabilitiesPath}`,
    },
  };
}

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
