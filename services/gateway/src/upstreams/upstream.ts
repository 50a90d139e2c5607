import { createCallMetrics } from '@lintel/http-client';
import { KeptConnections } from '@lintel/http-client/kept-connections';
import type { Counter, Logger, Metrics } from '@lintel/telemetry';
import { WaitQueue } from '@lintel/timing';
import { createAgent } from './create-agent.ts';
import { type Address, findAddresses, type HostLookup } from './find-addresses.ts';
import { type ReplicaReadiness, readReadiness } from './read-readiness.ts';
import { type Health, Replica } from './replica.ts';

export interface UpstreamOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  /** URLs of replicas; a host name stands for all its addresses. */
  readonly urls: readonly string[];
  /** URLs of load balancers in front of the replicas; they get the requests while no replica is known to be ready. */
  readonly fallbackUrls: readonly string[];
  readonly lookup: HostLookup;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Maximum number of connections to one replica. */
  readonly maxConnections: number;
  /** Maximum time to open a connection. */
  readonly connectTimeoutMs: number;
  /** Maximum wait for a connection that is in use. */
  readonly queueTimeoutMs: number;
  /** Maximum number of requests that wait for a connection; others are refused at once. */
  readonly maxWaiting: number;
  /** Counts the refused ones. */
  readonly refusals?: Counter;
  /** Time between two checks of one replica. */
  readonly checkIntervalMs: number;
  readonly checkTimeoutMs: number;
  /** Time between two lookups of a host name. */
  readonly lookupIntervalMs: number;
  readonly metrics?: Metrics | undefined;
}

/** The permission of one request to use a connection to a replica. */
export interface ConnectionLease {
  readonly replica: Replica;
  /** Releases the connection; further calls have no effect. */
  release(): void;
}

interface Member {
  readonly address: Address;
  readonly isFallback: boolean;
  readonly replica: Replica;
  isChecked: boolean;
}

/**
 * The replicas of one service: resolved by name, checked, and chosen by health and load. A single replica is not
 * checked, since there is no choice.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #waiting = new WaitQueue();
  #members: Member[] = [];
  #rotation = 0;
  #lookup: Promise<void> | undefined;
  /** Names that could not be resolved the last time: the log has each failure once. */
  readonly #unresolved = new Set<string>();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Finds the replicas and checks them until `close`. */
  async start(): Promise<void> {
    const { checkIntervalMs, lookupIntervalMs } = this.#options;
    await this.#findReplicas();
    this.#timers = [
      setInterval(() => this.#checkAll(), checkIntervalMs).unref(),
      setInterval(() => void this.#findReplicas(), lookupIntervalMs).unref(),
    ];
  }

  /**
   * A lease at the preferred replica: the healthiest, among equals the one with the fewest requests in flight, among
   * those round-robin. An unhealthy replica is used if there is no other: its known state may be outdated.
   *
   * @param tried replicas where the request has failed
   * @returns 'busy' if all connections of the replica are in use; undefined if all replicas were tried or no
   *   address is known
   */
  async acquire(tried: ReadonlySet<Replica>): Promise<ConnectionLease | 'busy' | undefined> {
    if (this.#members.length === 0) await this.#findReplicas();
    const replica = this.#choose(tried);
    if (replica === undefined) return undefined;
    return replica.isFull ? 'busy' : leaseOf(replica);
  }

  /** The same without a wait: undefined if there is no lease now, for any reason. */
  acquireFree(tried: ReadonlySet<Replica>): ConnectionLease | undefined {
    const replica = this.#choose(tried);
    return replica === undefined || replica.isFull ? undefined : leaseOf(replica);
  }

  /**
   * Waits for a lease that another request releases, first come, first served.
   *
   * @returns undefined if too many requests wait already, no connection became free in time, or the signal was
   *   aborted because the client has disconnected
   */
  wait(tried: ReadonlySet<Replica>, signal: AbortSignal): Promise<ConnectionLease | undefined> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      this.#options.refusals?.add(1);
      return Promise.resolve(undefined);
    }
    return this.#waiting.wait(() => this.acquireFree(tried), { timeoutMs: this.#options.queueTimeoutMs, signal });
  }

  /** Checks a replica now, because it behaved as if it were stopping. */
  check(replica: Replica): void {
    const member = this.#members.find((each) => each.replica === replica);
    if (member !== undefined) void this.#check(member);
  }

  /** Reads the readiness of all replicas now; where none is known, of the load balancers in front of them. */
  async askAll(): Promise<readonly ReplicaReadiness[]> {
    if (this.#members.length === 0) await this.#findReplicas();
    const replicas = this.#members.filter(({ isFallback }) => !isFallback);
    const asked = replicas.length === 0 ? this.#members : replicas;
    return Promise.all(asked.map(({ address }) => readReadiness(address, this.#options.checkTimeoutMs)));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { replica } of this.#members) replica.close();
  }

  #choose(tried: ReadonlySet<Replica>): Replica | undefined {
    const members = this.#members;
    this.#rotation += 1;
    let best: Replica | undefined;
    for (let offset = 0; offset < members.length; offset += 1) {
      const replica = members[(this.#rotation + offset) % members.length]?.replica;
      if (replica === undefined || tried.has(replica)) continue;
      if (best === undefined || replica.isBetterThan(best)) best = replica;
    }
    return best;
  }

  /** One lookup at a time; what cannot be resolved stays as it is known. */
  #findReplicas(): Promise<void> {
    const { urls, fallbackUrls } = this.#options;
    this.#lookup ??= Promise.all([this.#resolve(urls, false), this.#resolve(fallbackUrls, true)])
      .then(([replicas, fallbacks]) => {
        const direct = new Set(replicas.map(({ target }) => target));
        this.#adopt(
          replicas,
          fallbacks.filter(({ target }) => !direct.has(target)),
        );
      })
      .finally(() => {
        this.#lookup = undefined;
      });
    return this.#lookup;
  }

  async #resolve(urls: readonly string[], isFallback: boolean): Promise<readonly Address[]> {
    const { name: upstream, lookup, logger } = this.#options;
    // Without credentials.
    const names = urls.map((url) => new URL(url).origin).join();
    try {
      const found = await findAddresses(urls, lookup);
      if (this.#unresolved.delete(names)) logger.info({ upstream, urls: names }, 'addresses of the service are known');
      return found;
    } catch (error) {
      if (!this.#unresolved.has(names))
        logger.warn({ upstream, urls: names, reason: String(error) }, 'no addresses of the service');
      this.#unresolved.add(names);
      return this.#members.filter((each) => each.isFallback === isFallback).map(({ address }) => address);
    }
  }

  #adopt(replicas: readonly Address[], fallbacks: readonly Address[]): void {
    const before = new Map(this.#members.map((member) => [member.address.target, member]));
    const addresses = [...replicas, ...fallbacks];
    this.#members = addresses.map((address, index) => {
      const isFallback = index >= replicas.length;
      const known = before.get(address.target);
      return known?.isFallback === isFallback ? known : this.#add(address, isFallback);
    });
    for (const member of before.values()) if (!this.#members.includes(member)) member.replica.retire();
    this.#waiting.advance();
  }

  #add(address: Address, isFallback: boolean): Member {
    const { name, logger, maxConnections, connectTimeoutMs, metrics } = this.#options;
    const onChange = (health: Health) => {
      const line = { upstream: name, replica: address.target, health };
      if (health === 'unreachable') logger.warn(line, 'replica changed');
      else logger.info(line, 'replica changed');
      this.#waiting.advance();
    };
    const replica = new Replica({
      target: address.target,
      isFallback,
      agent: createAgent(address, maxConnections),
      connections: new KeptConnections({ target: address.target, connectTimeoutMs }),
      calls: createCallMetrics(metrics, { service: name, url: address.url }),
      maxConnections,
      onChange,
      onEnd: () => this.#waiting.advance(),
    });
    return { address, isFallback, replica, isChecked: false };
  }

  #checkAll(): void {
    for (const member of this.#members) void this.#check(member);
  }

  async #check(member: Member): Promise<void> {
    if (member.isChecked || this.#members.length < 2) return;
    member.isChecked = true;
    const { address, replica } = member;
    const { clock, checkTimeoutMs } = this.#options;
    const reportResult = replica.beginCheck();
    const { status } = await readReadiness(address, checkTimeoutMs);
    reportResult(status, clock.now());
    member.isChecked = false;
  }
}

const leaseOf = (replica: Replica): ConnectionLease => ({ replica, release: replica.begin() });
