import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@lintel/testkit';
import { OPERATIONS } from '../operations/index.ts';
import { type Bench, type Contestant, contestantOf, type OperationResult, runOperation } from '../run-bench.ts';
import { POOL_SIZE } from '../servers/server-settings.ts';
import type { Peer } from './peer.ts';
import { PEER_CALLS } from './peer-calls.ts';
import { missingPrograms, PEERS } from './peers.ts';
import { type StartedPeer, startPeer } from './start-peer.ts';
import { verifyPeer } from './verify-peer.ts';

export interface PeersOptions extends Bench {
  readonly operations: readonly string[];
  readonly databaseUrl: string;
  /** Where the peers are installed, each in a folder of its own. */
  readonly folder: string;
}

/** Reads of many rows with a body of megabytes, ranks and trees have no counterpart. */
const COMPARED: ReadonlySet<string> = new Set(['R1', 'R2', 'R3', 'R4', 'A1', 'A2', 'W1', 'W2', 'W3']);

/** Installs and starts the peers that can be had, and measures them beside our gateway, operation by operation. */
export async function runPeers(options: PeersOptions): Promise<readonly OperationResult[]> {
  const { stage, operations, onProgress } = options;
  await using stack = new AsyncDisposableStack();
  const started = new Map<Peer, StartedPeer>();
  for (const peer of PEERS.filter(({ name }) => operations.some((one) => PEER_CALLS[name][one] !== undefined))) {
    const missing = missingPrograms(peer);
    if (missing.length > 0) onProgress(`${peer.about} is left out: install ${missing.join(' and ')} to have it`);
    else
      started.set(
        peer,
        stack.adopt(await begin(peer, options), (one) => one.stop()),
      );
  }
  const results: OperationResult[] = [];
  // In the order of the list: reads first, so that they see the data set before it is changed.
  for (const operation of OPERATIONS.filter(({ name }) => operations.includes(name) && COMPARED.has(name))) {
    const contestants: Contestant[] = [contestantOf(stage, 'gateway')];
    for (const [peer, server] of started) {
      const { name } = peer;
      if (PEER_CALLS[name][operation.name] === undefined) continue;
      await verifyPeer(peer, server, operation.name);
      contestants.push({ name, api: name, url: server.url, token: server.token, servers: new Map([[name, server]]) });
    }
    results.push(await runOperation(options, operation, contestants));
  }
  return results;
}

async function begin(peer: Peer, { databaseUrl, folder, onProgress }: PeersOptions): Promise<StartedPeer> {
  const target = {
    folder: join(folder, peer.name),
    databaseUrl,
    port: await freePort(),
    poolSize: POOL_SIZE,
    secret: randomBytes(24).toString('hex'),
  };
  onProgress(`Installing ${peer.about}`);
  await peer.install(target.folder);
  onProgress(`Starting ${peer.about}`);
  await peer.prepare(target);
  return startPeer(peer, target);
}
