import { eventually } from '@lintel/testkit';
import { ownCluster, ownSentinels } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

/** Elections take seconds, on a busy machine more. */
const PATIENT = { timeoutMs: 60_000, intervalMs: 100 };

/** A Redis that fails over, and what leads services to it. */
interface Failing {
  readonly variables: Readonly<Record<string, string>>;
  /** Kills a primary. */
  kill(): Promise<void>;
  /** Resolves when its replica has taken over. */
  failOver(): Promise<void>;
  /** Starts it again, as a replica. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

const listOf = (nodes: readonly { readonly host: string; readonly port: number }[]): string =>
  nodes.map(({ host, port }) => `${host}:${port}`).join(',');

async function sentinels(): Promise<Failing> {
  const { master, nodes, password, sentinelPassword, killPrimary, failOver, restartKilled, dispose } =
    await ownSentinels();
  return {
    variables: {
      SVC_REDIS_SENTINEL_MASTER: master,
      SVC_REDIS_SENTINEL_NODES: listOf(nodes),
      SVC_REDIS_SENTINEL_PASSWORD: sentinelPassword,
      SVC_REDIS_PASSWORD: password,
    },
    kill: killPrimary,
    failOver,
    restart: restartKilled,
    dispose,
  };
}

async function cluster(): Promise<Failing> {
  const { nodes, killFirst, failOver, restartFirst, dispose } = await ownCluster();
  const variables = { SVC_REDIS_CLUSTER_NODES: listOf(nodes) };
  return { variables, kill: killFirst, failOver, restart: restartFirst, dispose };
}

test.each<[string, () => Promise<Failing>]>([
  ['with sentinels', sentinels],
  ['of a cluster', cluster],
])(
  'when a primary %s dies, known tokens go on, and logins come back by themselves with the sessions of before',
  async (_name, start) => {
    const redis = await start();
    const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
      ...redis.variables,
      // Counted in Redis, too.
      SVC_GATEWAY_RATE_LIMIT_USER: '100000/1m',
    });
    try {
      const { logIn, tokenOf, statusesOf } = createGatewayCaller(services.gateway.url);
      const known = await Promise.all(['client', 'client-jwt'].map((client) => tokenOf(client, 'manager')));
      // So many that each primary of a cluster has some.
      const unused = await Promise.all(Array.from({ length: 12 }, () => tokenOf('client', 'clerk')));
      expect(await statusesOf(known)).toEqual([200, 200]);

      await redis.kill();
      const promoted = redis.failOver();
      const seen = { known: new Set<number>(), logins: new Set<number>() };
      await eventually(async () => {
        for (const status of await statusesOf(known)) seen.known.add(status);
        const responses = await Promise.all(Array.from({ length: 6 }, () => logIn('client', 'clerk')));
        const statuses = responses.map(({ status }) => status);
        for (const status of statuses) seen.logins.add(status);
        expect(statuses).toEqual(statuses.map(() => 200));
      }, PATIENT);
      await promoted;
      expect([...seen.known]).toEqual([200]);
      expect([...seen.logins].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      // What was promised before is kept by the replica.
      await eventually(async () => expect(await statusesOf(unused)).toEqual(unused.map(() => 200)), PATIENT);

      await redis.restart();
      expect((await logIn('client', 'clerk')).status).toBe(200);
      expect(await statusesOf(known)).toEqual([200, 200]);
    } finally {
      await dispose();
      await redis.dispose();
    }
  },
  240_000,
);
