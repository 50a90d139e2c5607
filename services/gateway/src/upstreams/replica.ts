import type { Agent } from 'node:http';

/** What is known of a replica. */
export type Health = 'ready' | 'not ready' | 'unreachable';

/** Of two replicas, the one with the lower rank is asked. */
const RANKS: Readonly<Record<Health, number>> = { ready: 0, 'not ready': 1, unreachable: 2 };

const FIRST_BAN_MS = 1_000;
const LONGEST_BAN_MS = 30_000;

export interface ReplicaOptions {
  /** Protocol, address and port: `http://10.0.0.5:8082`. */
  readonly target: string;
  /** Its connections, which nobody else uses. */
  readonly agent: Agent;
  /** Requests at one time; each takes a connection. */
  readonly maxConnections: number;
  readonly onChange: (health: Health) => void;
  /** A request has ended. */
  readonly onEnd: () => void;
}

/**
 * One replica of a service: its connections, its load, and whether it should get requests. Until something
 * else is known it counts as ready.
 */
export class Replica {
  readonly target: string;
  readonly agent: Agent;
  readonly #options: ReplicaOptions;
  #health: Health = 'ready';
  #inFlight = 0;
  #failures = 0;
  #bannedUntilMs = 0;
  #findings = 0;

  constructor(options: ReplicaOptions) {
    this.target = options.target;
    this.agent = options.agent;
    this.#options = options;
  }

  get health(): Health {
    return this.#health;
  }

  /** Requests that it works on. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether every connection that it may have is taken. */
  get isFull(): boolean {
    return this.#inFlight >= this.#options.maxConnections;
  }

  /** The healthier of two, or of two alike the one with fewer requests. */
  isBetterThan(other: Replica): boolean {
    const difference = RANKS[this.#health] - RANKS[other.#health];
    return difference === 0 ? this.#inFlight < other.#inFlight : difference < 0;
  }

  /** Counts a request in, until the function returned is called, which may be more than once. */
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

  /** An answer came. Whoever answers is not banned the next time for what was before. */
  answered(): void {
    this.#failures = 0;
  }

  /** No connection came to be. It is not asked again before a check has found it ready, each time later. */
  refused(nowMs: number): void {
    this.#bannedUntilMs = nowMs + Math.min(FIRST_BAN_MS * 2 ** this.#failures, LONGEST_BAN_MS);
    this.#failures += 1;
    this.#find('unreachable');
  }

  /** It said that it will close a connection: the next check tells whether it stops. */
  closing(): void {
    if (this.#health === 'ready') this.#find('not ready');
  }

  /** Begins a check of its readiness; the function takes what was found, unless something newer is known. */
  beginCheck(): (found: Health, nowMs: number) => void {
    const before = this.#findings;
    return (found, nowMs) => {
      if (this.#findings !== before || (found === 'ready' && nowMs < this.#bannedUntilMs)) return;
      this.#find(found);
    };
  }

  /** Closes idle connections and keeps none from now on; requests in flight end as they would. */
  retire(): void {
    this.agent.maxFreeSockets = 0;
    this.closeIdleConnections();
  }

  /** Closes everything. */
  close(): void {
    this.agent.destroy();
  }

  closeIdleConnections(): void {
    for (const sockets of Object.values(this.agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  #find(health: Health): void {
    this.#findings += 1;
    // A request on a connection that its server is closing could be lost.
    if (health !== 'ready') this.closeIdleConnections();
    if (health === this.#health) return;
    this.#health = health;
    this.#options.onChange(health);
  }
}
