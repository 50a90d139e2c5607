import type { Counter, Logger } from '@lintel/telemetry';
import { WaitQueue } from '@lintel/timing';
import { checkReadiness } from './check-readiness.ts';
import { createAgent } from './create-agent.ts';
import { type Address, findAddresses, type HostLookup } from './find-addresses.ts';
import { type ReplicaReadiness, readReadiness } from './read-readiness.ts';
import { type Health, Replica } from './replica.ts';

export interface UpstreamOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  /** Addresses of replicas; a host name stands for all its addresses. */
  readonly urls: readonly string[];
  readonly lookup: HostLookup;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Connections to one replica. */
  readonly maxConnections: number;
  /** Longest wait for one of them. */
  readonly queueTimeoutMs: number;
  /** Requests that wait for one of them; more are refused at once. */
  readonly maxWaiting: number;
  /** Counts those. */
  readonly refusals?: Counter;
  /** Between two checks of one replica. */
  readonly checkIntervalMs: number;
  readonly checkTimeoutMs: number;
  /** Between two looks at the addresses of a host name. */
  readonly lookupIntervalMs: number;
}

/** A connection that one request may use. */
export interface Place {
  readonly replica: Replica;
  /** Gives it back; may be called more than once. */
  end(): void;
}

interface Member {
  readonly address: Address;
  readonly replica: Replica;
  isChecked: boolean;
}

/**
 * The replicas of one service: found by their names, watched, and chosen by health and load. While there is one
 * only, it is not watched: there is no choice to be made.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #waiting = new WaitQueue();
  #members: Member[] = [];
  #turn = 0;
  #lookup: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Finds the replicas and watches them until `close`. */
  async start(): Promise<void> {
    const { checkIntervalMs, lookupIntervalMs } = this.#options;
    await this.#findReplicas();
    this.#timers = [
      setInterval(() => this.#checkAll(), checkIntervalMs).unref(),
      setInterval(() => void this.#findReplicas(), lookupIntervalMs).unref(),
    ];
  }

  /**
   * A place at the replica to ask: a healthy one before others, of those alike the one with the fewest requests in
   * flight, of those again each in turn. An unhealthy one is better than none: what is known of it may be outdated.
   *
   * @param tried replicas that have failed the request
   * @returns 'busy' where the one to ask has too much to do, undefined where all were tried, or no address is known
   */
  async take(tried: ReadonlySet<Replica>): Promise<Place | 'busy' | undefined> {
    if (this.#members.length === 0) await this.#findReplicas();
    const replica = this.#choose(tried);
    return replica?.isFull === true ? 'busy' : placeAt(replica);
  }

  /**
   * The same, for those who have found all busy: they get what others give back, in the order in which they came.
   *
   * @returns undefined where too many wait already, nothing became free in time, or the signal was aborted because the client has left
   *   any more
   */
  wait(tried: ReadonlySet<Replica>, signal: AbortSignal): Promise<Place | undefined> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      this.#options.refusals?.add(1);
      return Promise.resolve(undefined);
    }
    const takeFree = (): Place | undefined => {
      const replica = this.#choose(tried);
      return replica?.isFull === true ? undefined : placeAt(replica);
    };
    return this.#waiting.wait(takeFree, { timeoutMs: this.#options.queueTimeoutMs, signal });
  }

  /** Looks at a replica now, that has behaved like one that stops. */
  check(replica: Replica): void {
    const member = this.#members.find((each) => each.replica === replica);
    if (member !== undefined) void this.#check(member);
  }

  /** What every replica says of itself now. */
  async askAll(): Promise<readonly ReplicaReadiness[]> {
    if (this.#members.length === 0) await this.#findReplicas();
    return Promise.all(this.#members.map(({ address }) => readReadiness(address, this.#options.checkTimeoutMs)));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { replica } of this.#members) replica.close();
  }

  #choose(tried: ReadonlySet<Replica>): Replica | undefined {
    const members = this.#members;
    this.#turn += 1;
    let best: Replica | undefined;
    for (let offset = 0; offset < members.length; offset += 1) {
      const replica = members[(this.#turn + offset) % members.length]?.replica;
      if (replica === undefined || tried.has(replica)) continue;
      if (best === undefined || replica.isBetterThan(best)) best = replica;
    }
    return best;
  }

  /** One look at a time; where it fails, what was found before stays. */
  #findReplicas(): Promise<void> {
    const { name, urls, lookup, logger } = this.#options;
    this.#lookup ??= findAddresses(urls, lookup)
      .then((addresses) => this.#adopt(addresses))
      .catch((error: unknown) => logger.warn({ upstream: name, error }, 'no addresses of the service'))
      .finally(() => {
        this.#lookup = undefined;
      });
    return this.#lookup;
  }

  #adopt(addresses: readonly Address[]): void {
    const before = new Map(this.#members.map((member) => [member.address.target, member]));
    this.#members = addresses.map((address) => before.get(address.target) ?? this.#add(address));
    const targets = new Set(addresses.map(({ target }) => target));
    for (const [target, { replica }] of before) if (!targets.has(target)) replica.retire();
    this.#waiting.advance();
  }

  #add(address: Address): Member {
    const { name, logger, maxConnections } = this.#options;
    const onChange = (health: Health) => {
      const line = { upstream: name, replica: address.target, health };
      if (health === 'unreachable') logger.warn(line, 'replica changed');
      else logger.info(line, 'replica changed');
      this.#waiting.advance();
    };
    const replica = new Replica({
      target: address.target,
      agent: createAgent(address, maxConnections),
      maxConnections,
      onChange,
      onEnd: () => this.#waiting.advance(),
    });
    return { address, replica, isChecked: false };
  }

  #checkAll(): void {
    for (const member of this.#members) void this.#check(member);
  }

  async #check(member: Member): Promise<void> {
    if (member.isChecked || this.#members.length < 2) return;
    member.isChecked = true;
    const { address, replica } = member;
    const { clock, checkTimeoutMs } = this.#options;
    const tell = replica.beginCheck();
    const found = await checkReadiness(address, checkTimeoutMs);
    tell(found, clock.now());
    member.isChecked = false;
  }
}

const placeAt = (replica: Replica | undefined): Place | undefined => replica && { replica, end: replica.begin() };
