/** PostGraphile as its documentation sets it up as a library; copied to the folder where it is installed. */
import { createServer } from 'node:http';
import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PgLazyJWTPreset } from 'postgraphile/presets/lazy-jwt';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

const { PEER_DATABASE_URL, PEER_PORT, PEER_POOL_SIZE, PEER_JWT_SECRET } = process.env;

const preset = {
  extends: [PostGraphileAmberPreset, PgSimplifyInflectionPreset, PgLazyJWTPreset, PostGraphileConnectionFilterPreset],
  pgServices: [
    makePgService({
      connectionString: PEER_DATABASE_URL,
      schemas: ['sales'],
      poolConfig: { max: Number(PEER_POOL_SIZE) },
    }),
  ],
  grafserv: { graphiql: false, watch: false, pgJwtSecret: PEER_JWT_SECRET },
};

const server = createServer();
const instance = postgraphile(preset);
await instance.createServ(grafserv).addTo(server);
// The schema is built before the first request.
await instance.getSchema();
server.listen(Number(PEER_PORT), '127.0.0.1');
