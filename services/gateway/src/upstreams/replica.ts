import type { Agent } from 'node:http';
import type { CallMetrics } from '@lintel/http-client';
import type { KeptConnections } from '@lintel/http-client/kept-connections';

/** The known state of a replica. */
export type Health = 'ready' | 'not ready' | 'unreachable';

/** The replica with the lower rank is preferred. */
const RANKS: Readonly<Record<Health, number>> = { ready: 0, 'not ready': 1, unreachable: 2 };

const FIRST_BAN_MS = 1_000;
const LONGEST_BAN_MS = 30_000;

export interface ReplicaOptions {
  /** Protocol, address and port: `http://10.0.0.5:8082`. */
  readonly target: string;
  /** Whether it is a load balancer in front of the replicas: of two in the same state, the replica is preferred. */
  readonly isFallback: boolean;
  /** Its connections for streamed requests, used for this replica only. */
  readonly agent: Agent;
  /** Its connections for all other requests. */
  readonly connections: KeptConnections;
  /** Measures the requests to it. */
  readonly calls: CallMetrics;
  /** Maximum of concurrent requests; each uses a connection. */
  readonly maxConnections: number;
  readonly onChange: (health: Health) => void;
  /** Called when a request has ended. */
  readonly onEnd: () => void;
}

/**
 * One replica of a service: its connections, its load, and whether it should receive requests. A new one counts as
 * ready.
 */
export class Replica {
  readonly target: string;
  readonly agent: Agent;
  readonly connections: KeptConnections;
  readonly calls: CallMetrics;
  readonly #options: ReplicaOptions;
  #health: Health = 'ready';
  #inFlight = 0;
  #failures = 0;
  #bannedUntilMs = 0;
  #stateChanges = 0;

  constructor(options: ReplicaOptions) {
    this.target = options.target;
    this.agent = options.agent;
    this.connections = options.connections;
    this.calls = options.calls;
    this.#options = options;
  }

  get health(): Health {
    return this.#health;
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether all its connections are in use. */
  get isFull(): boolean {
    return this.#inFlight >= this.#options.maxConnections;
  }

  /** Whether it is healthier, or as healthy and no fallback, or else has fewer requests. */
  isBetterThan(other: Replica): boolean {
    const difference = this.#rank - other.#rank;
    return difference === 0 ? this.#inFlight < other.#inFlight : difference < 0;
  }

  get #rank(): number {
    return 2 * RANKS[this.#health] + (this.#options.isFallback ? 1 : 0);
  }

  /** Counts a request until the returned function is called; further calls have no effect. */
  begin(): () => void {
    this.#inFlight += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#inFlight -= 1;
      this.#options.onEnd();
    };
  }

  /** It has responded: earlier failures no longer extend its next ban. */
  responded(): void {
    this.#failures = 0;
  }

  /** It could not be connected to: it is banned until a check finds it ready, for longer each time. */
  refused(nowMs: number): void {
    this.#bannedUntilMs = nowMs + Math.min(FIRST_BAN_MS * 2 ** this.#failures, LONGEST_BAN_MS);
    this.#failures += 1;
    this.#setHealth('unreachable');
  }

  /** It announced that it closes a connection: the next check finds out whether it is stopping. */
  closing(): void {
    if (this.#health === 'ready') this.#setHealth('not ready');
  }

  /** Begins a readiness check. The returned function sets the result, unless the state has changed since. */
  beginCheck(): (found: Health, nowMs: number) => void {
    const before = this.#stateChanges;
    return (found, nowMs) => {
      if (this.#stateChanges !== before || (found === 'ready' && nowMs < this.#bannedUntilMs)) return;
      this.#setHealth(found);
    };
  }

  /** Closes idle connections and keeps none alive from now on; requests in flight are not affected. */
  retire(): void {
    this.agent.maxFreeSockets = 0;
    this.connections.retire();
    this.closeIdleConnections();
  }

  /** Closes all connections. */
  close(): void {
    this.agent.destroy();
    this.connections.close();
  }

  closeIdleConnections(): void {
    this.connections.closeIdle();
    for (const sockets of Object.values(this.agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  #setHealth(health: Health): void {
    this.#stateChanges += 1;
    // A request could be lost on a connection that its server is closing.
    if (health !== 'ready') this.closeIdleConnections();
    if (health === this.#health) return;
    this.#health = health;
    this.#options.onChange(health);
  }
}
