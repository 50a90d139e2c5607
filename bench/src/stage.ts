import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { copyDataSet } from './database/prepare-database.ts';
import { cpuMicrosOfEnded, cpuMicrosOfFamily, parentOf } from './measure/processes.ts';
import { bundleServers } from './servers/bundle-servers.ts';
import { compileServers } from './servers/compile-servers.ts';
import { POOL_SIZE, type ServerSettings } from './servers/server-settings.ts';
import { startTokenIssuer, startTraceSink } from './servers/stand-ins.ts';
import { type StartedServer, startServer } from './servers/start-server.ts';
import { chainOf, REFERENCE, type ServerName, SYSTEMS, type SystemName } from './systems.ts';

/** Everything that runs while something is measured. */
export interface Stage {
  readonly servers: ReadonlyMap<ServerName, StartedServer>;
  readonly databaseUrl: string;
  /** Token that a system takes. */
  tokenFor(name: ServerName): string;
  /** Processor time of all processes of the database so far, in microseconds. */
  databaseCpuMicros(): number;
  readonly postgresVersion: string;
  close(): Promise<void>;
}

/** Starts the servers, each as a process of its own; gateways after what they stand in front of. */
export async function setStage(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly systems: readonly SystemName[];
  readonly withReference: boolean;
  /** Connections of each server to the database; as on the performance page without it. */
  readonly poolSize?: number | undefined;
}): Promise<Stage> {
  const { databaseUrl, folder } = options;
  compileServers();
  const programs = options.systems.flatMap(chainOf).map((name) => SYSTEMS[name].program);
  const bundles = await bundleServers(folder, new Set(programs));
  const sessionId = randomUUID();
  const opaqueToken = randomUUID();
  await using stack = new AsyncDisposableStack();
  const issuer = stack.adopt(await startTokenIssuer(sessionId), (started) => started.close());
  const traces = stack.adopt(await startTraceSink(), (started) => started.close());
  const client = new Client({ connectionString: databaseUrl, application_name: 'lintel-bench' });
  // Lost only when the database stops, and then everything else says so too.
  client.on('error', () => undefined);
  await client.connect();
  stack.defer(() => client.end());
  const { rows } = await client.query<{ pid: number; version: string }>(
    `SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version`,
  );
  const servers = new Map<ServerName, StartedServer>();
  const start = async (name: ServerName): Promise<void> => {
    const { program, listeners, adds, upstream } = SYSTEMS[name];
    if (servers.has(name)) return;
    if (upstream !== undefined) await start(upstream);
    const upstreamUrl = upstream === undefined ? undefined : servers.get(upstream)?.url;
    const settings: ServerSettings = {
      // What it adds would be a load of the other systems.
      databaseUrl:
        adds === undefined ? databaseUrl : await copyDataSet(databaseUrl, `lintel_bench_${adds.replace('-', '_')}`),
      tokens: [opaqueToken, issuer.jwt],
      issuerUrl: issuer.url,
      sessionId,
      internalSecret: opaqueToken,
      listeners,
      adds,
      poolSize: options.poolSize ?? POOL_SIZE,
      ...(upstreamUrl === undefined ? {} : { upstreamUrl }),
    };
    const bundled = bundles.get(program);
    const server = await startServer({ name, program, settings, folder, collectorUrl: traces.url, bundled });
    servers.set(
      name,
      stack.adopt(server, (started) => started.stop()),
    );
  };
  if (options.withReference) await start(REFERENCE);
  for (const name of options.systems) await start(name);
  const everything = stack.move();
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  return {
    servers,
    databaseUrl,
    tokenFor: (name) =>
      servers.get(name)?.token ?? (SYSTEMS[name].program === 'data-service' ? issuer.jwt : opaqueToken),
    databaseCpuMicros: () => cpuMicrosOfFamily(postmaster) + cpuMicrosOfEnded(postmaster),
    postgresVersion: rows[0]?.version ?? '',
    close: () => everything.disposeAsync(),
  };
}
