/** Servers for tests: where they come from and how they are started. Used by the test runner and fault tests. */
export { BACKENDS, type BackendName } from './backend.ts';
export { accepts, type ChildServer, signalGroup, startChildServer } from './child-server.ts';
export { type HostMessage, hostBackends } from './host-backends.ts';
export { type ProvidedBackends, provide } from './provide.ts';
export { type OwnCluster, ownCluster } from './redis-groups/own-cluster.ts';
export { type OwnSentinels, ownSentinels } from './redis-groups/own-sentinels.ts';
export { type OwnPostgres, ownPostgres } from './servers/own-postgres.ts';
export { type OwnServer, ownBroker, ownRedis } from './servers/own-server.ts';
export { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './servers/pgbouncer.ts';
export { reachableBinaries } from './servers/postgres.ts';
export {
  POSTGRES_VERSIONS,
  type PostgresVersion,
  startPostgresOf,
  type VersionedPostgres,
} from './servers/postgres-versions.ts';
export { type Slapd, type SlapdOptions, startSlapd } from './servers/slapd.ts';
export { findProgram } from './sources/find-program.ts';
export { cacheFolder } from './sources/go-install.ts';
