import type { HttpCall } from '../operations/operation.ts';
import { directusCalls } from './directus/directus-calls.ts';
import { postgraphileCalls } from './postgraphile/postgraphile-calls.ts';
import { prestCalls } from './prest/prest-calls.ts';
import { springCalls } from './spring-data-rest/spring-calls.ts';
import { strapiCalls } from './strapi/strapi-calls.ts';

export const PEER_NAMES = ['directus', 'strapi', 'postgraphile', 'spring-data-rest', 'prest'] as const;

export type PeerName = (typeof PEER_NAMES)[number];

/** The requests of a peer by operation; an operation that it has no single request for is missing. */
export type PeerCalls = Readonly<Partial<Record<string, () => HttpCall>>>;

export const PEER_CALLS: Readonly<Record<PeerName, PeerCalls>> = {
  directus: directusCalls,
  strapi: strapiCalls,
  postgraphile: postgraphileCalls,
  'spring-data-rest': springCalls,
  prest: prestCalls,
};
