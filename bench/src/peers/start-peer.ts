import { accepts, startChildServer } from '@lintel/testkit/backends';
import type { Peer, PeerTarget } from './peer.ts';

export interface StartedPeer {
  readonly url: string;
  readonly pid: number;
  /** Bearer token of the requests. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Some build their own tables and compile at the first start. */
const START_MS = 300_000;

/**
 * Starts a peer and waits until it listens and has its token. Its output goes to a file of its folder.
 *
 * @throws Error with the end of its output if it ends before
 */
export async function startPeer(peer: Peer, target: PeerTarget): Promise<StartedPeer> {
  const { folder, port } = target;
  const { file, parameters, environment } = peer.command(target);
  const { pid, stop } = await startChildServer({
    ...{ name: peer.name, program: file, parameters, folder, timeoutMs: START_MS },
    environment: { ...(process.env as Record<string, string>), ...environment },
    isReady: () => accepts(port),
  });
  try {
    return { url: `http://127.0.0.1:${port}`, pid, token: await peer.open(target), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
