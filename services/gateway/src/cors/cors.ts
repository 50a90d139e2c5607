import type { IncomingMessage, ServerResponse } from 'node:http';
import { createUrlMatcher } from '@lintel/contracts';
import { PlatformError, StartError } from '@lintel/errors';
import { pathOf, type Step } from '@lintel/http';
import type { GatewayConfig } from '../config.ts';
import type { Forwarded } from '../forwarded/create-forwarded-reader.ts';

/** How long browsers may keep a preflight response: rules change with a deployment, and no browser keeps one for long. */
const MAX_AGE_SECONDS = '1800';

/**
 * Cross-origin rules (contract/conventions.md#cors), applied before authentication: a
 * foreign origin returns 403 with any token, a preflight needs none. They do not apply to requests without `Origin`
 * or from the gateway's own origin.
 *
 * @throws StartError if credentials are allowed for any origin: browsers refuse that, and it would be unsafe
 */
export function createCors(config: GatewayConfig['cors'], forwardedOf: (request: IncomingMessage) => Forwarded): Step {
  const anyOrigin = config.allowedOrigins.includes('*');
  if (anyOrigin && config.allowCredentials)
    throw new StartError('svc.cors.allow-credentials needs svc.cors.allowed-origins to name the origins');
  const concerns = createUrlMatcher(config.urlPatterns);
  const origins = new Set(config.allowedOrigins.map((origin) => origin.replace(/\/$/, '').toLowerCase()));
  const allowsMethod = matcherOf(config.allowedMethods);
  const allowsHeader = matcherOf(config.allowedHeaders);
  const exposed = config.exposedHeaders.join(', ');

  return (request, response, next) => {
    const { origin } = request.headers;
    // Nothing to do on any path.
    if (origin === undefined && anyOrigin) return next();
    if (!concerns(pathOf(request.url ?? ''))) return next();
    if (!anyOrigin) response.setHeader('Vary', 'Origin');
    if (origin === undefined || isOwnOrigin(origin, forwardedOf(request))) return next();
    const wantedMethod = request.headers['access-control-request-method'];
    const isPreflight = request.method === 'OPTIONS' && wantedMethod !== undefined;
    const wantedHeaders = isPreflight ? listOf(request.headers['access-control-request-headers']) : [];
    if (
      !(anyOrigin || origins.has(origin.toLowerCase())) ||
      !allowsMethod(wantedMethod ?? request.method ?? '') ||
      !wantedHeaders.every(allowsHeader)
    )
      throw new PlatformError('ACCESS_DENIED', 'Invalid CORS request');
    allow(response, origin);
    if (!isPreflight) return next();
    response.setHeader('Access-Control-Allow-Methods', wantedMethod);
    if (wantedHeaders.length > 0) response.setHeader('Access-Control-Allow-Headers', wantedHeaders.join(', '));
    response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
    response.setHeader('Content-Length', '0');
    response.end();
  };

  function allow(response: ServerResponse, origin: string): void {
    response.setHeader('Access-Control-Allow-Origin', anyOrigin ? '*' : origin);
    if (config.allowCredentials) response.setHeader('Access-Control-Allow-Credentials', 'true');
    if (exposed !== '') response.setHeader('Access-Control-Expose-Headers', exposed);
  }
}

function matcherOf(allowed: readonly string[]): (value: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const lower = new Set(allowed.map((value) => value.toLowerCase()));
  return (value) => lower.has(value.toLowerCase());
}

const listOf = (header: string | undefined): readonly string[] =>
  header === undefined
    ? []
    : header
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');

const isOwnOrigin = (origin: string, forwarded: Forwarded): boolean =>
  origin.toLowerCase() === `${forwarded.proto}://${forwarded.host}`.toLowerCase();
