import { findProgram } from '@lintel/testkit/backends';
import { directus } from './directus/directus.ts';
import type { Peer } from './peer.ts';
import { postgraphile } from './postgraphile/postgraphile.ts';
import { prest } from './prest/prest.ts';
import { springDataRest } from './spring-data-rest/spring.ts';
import { strapi } from './strapi/strapi.ts';

/** Other products that serve tables of PostgreSQL, measured by `--peers`. */
export const PEERS: readonly Peer[] = [directus, strapi, postgraphile, springDataRest, prest];

/** Programs that a peer needs and that are not installed. */
export const missingPrograms = ({ needs }: Peer): readonly string[] =>
  needs.filter((name) => findProgram(name) === undefined);
