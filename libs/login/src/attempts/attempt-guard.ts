import type { KeyValueStore } from '@lintel/cache';
import { networkOf } from '@lintel/http';
import type { Clock } from '@lintel/timing';
import type { NameDigest } from './name-digest.ts';

/** A user authenticates with a password or a second factor, a client with a secret, a device by the code that it shows. */
export type SubjectKind = 'user' | 'factor' | 'client' | 'device' | 'registration';

/** One attempt to authenticate. */
export interface Attempt {
  /** The user name or client id of the request, existing or not. */
  readonly name: string;
  readonly address: string;
}

/** Why an attempt is refused. */
export type AttemptRefusal =
  /** This name is blocked for this address. */
  | 'locked'
  /** There were too many failures from the address, or for the name. */
  | 'too-many';

/** The outcome of an attempt: a wrong password or secret, a right one, or a right one without a login. */
export interface AttemptOutcome<T> {
  readonly kind: 'wrong' | 'right' | 'refused';
  readonly value: T;
}

export type AttemptResult<T> =
  | { readonly kind: 'not-made'; readonly refusal: AttemptRefusal }
  /** `beginsBlock`: whether this failure starts a block of the name for the address. */
  | { readonly kind: 'made'; readonly value: T; readonly beginsBlock: boolean };

export interface AttemptGuardOptions {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'increment' | 'delete'>;
  readonly kind: SubjectKind;
  /** `svc.security.bruteforceprotection.enabled` */
  readonly isEnabled: boolean;
  /** Failures after which a name is blocked for an address. */
  readonly maxAttempts: number;
  readonly blockMs: number;
  /** Failures for one name from all addresses; above it, an unknown address may try once per block. */
  readonly maxPerName: number;
  /** Failures from one address for all names; above it, only names for which the address is known may be tried. */
  readonly maxPerAddress: number;
  /** Period in which failures per name and per address are counted. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly nameDigest: NameDigest;
}

/** Limits guesses of passwords and secrets (contract/tokens.md#guessing). */
export interface AttemptGuard {
  /** Makes an attempt, if it is allowed. An attempt that rejects is not counted. */
  run<T>(attempt: Attempt, work: () => Promise<AttemptOutcome<T>>): Promise<AttemptResult<T>>;
}

const OPEN: AttemptGuard = {
  run: async (_attempt, work) => ({ kind: 'made', value: (await work()).value, beginsBlock: false }),
};

/** How long an address is known to a name after a success. */
const KNOWN_MS = 30 * 24 * 3_600_000;
/** Minimum time between two writes of one process that an address is known. */
const KNOWN_AGAIN_MS = 3_600_000;
/** Maximum number of known addresses whose last write a process remembers. */
const MAX_REMEMBERED = 10_000;

/** Maximum number of attempts of one name and address that wait for the outcome of others. */
const MAX_WAITING = 100;

/** Attempts of one name and address in this process. */
interface Current {
  running: number;
  failed: number;
  readonly waiting: (() => void)[];
}

/**
 * A guard whose counters all replicas share. The last allowed failure starts a block of `blockMs` for the name and the
 * address, during which even the right password is refused. A process makes no more concurrent attempts than failures
 * remain: other attempts wait, so that concurrent attempts cannot exceed the limit, and right passwords never reach it.
 *
 * Two more counters limit distributed guesses: per address over all names, and per name over all addresses. Neither
 * locks a user out: an address from which the name has been authenticated within 30 days is limited only by its own
 * failures, and a client with the right secret is never refused there. An IPv6 address counts as its /64 network. While
 * the store is not available no attempt is made: tokens need it too.
 */
export function createAttemptGuard(options: AttemptGuardOptions): AttemptGuard {
  const { keyValues, kind, isEnabled, maxAttempts, blockMs, maxPerName, maxPerAddress, intervalMs, clock, nameDigest } =
    options;
  if (!isEnabled) return OPEN;
  const remembered = new Map<string, number>();
  const currents = new Map<string, Current>();

  return {
    async run(attempt, work) {
      const keys = keysOf(kind, attempt, nameDigest.of);
      const current = currents.get(keys.failures) ?? { running: 0, failed: 0, waiting: [] };
      currents.set(keys.failures, current);
      current.running += 1;
      try {
        const admission = await admit(keys, current);
        if (typeof admission === 'string') return { kind: 'not-made', refusal: admission };
        const { kind: outcome, value } = await work();
        if (outcome === 'wrong') return { kind: 'made', value, beginsBlock: await fail(keys, current) };
        if (admission.failures > 0 && (kind === 'user' || kind === 'factor')) await keyValues.delete(keys.failures);
        if (outcome === 'right') await remember(keys.known);
        return { kind: 'made', value, beginsBlock: false };
      } finally {
        current.running -= 1;
        if (current.running === 0 && current.waiting.length === 0) currents.delete(keys.failures);
        current.waiting.shift()?.();
      }
    },
  };

  async function admit(keys: Keys, current: Current): Promise<AttemptRefusal | { readonly failures: number }> {
    for (;;) {
      const failedBefore = current.failed;
      const [block, known, ofName, ofAddress, ofPair] = await Promise.all(
        [keys.block, keys.known, keys.ofName, keys.ofAddress, keys.failures].map((key) => keyValues.get(key)),
      );
      const isKnown = known !== undefined;
      // The id of a client is public, and its address may be that of an office: guesses of one program must not block
      // the others.
      if (kind === 'client' && isKnown) return { failures: Number(ofPair ?? 0) };
      if (block !== undefined) return 'locked';
      if (!isKnown && Number(ofAddress ?? 0) >= maxPerAddress) return 'too-many';
      const isSlowed = !isKnown && Number(ofName ?? 0) >= maxPerName;
      const limit = isSlowed ? 1 : maxAttempts;
      const failures = Number(ofPair ?? 0);
      if (failures >= limit) return isSlowed ? 'too-many' : 'locked';
      // Secrets are cheap to compare, and clients authenticate with each request: they do not wait.
      if (kind === 'client' && !isSlowed) return { failures };
      // Failures during the read of the counter may not be included in it.
      if (failures + current.running + (current.failed - failedBefore) <= limit) return { failures };
      if (current.running === 1) continue;
      if (current.waiting.length >= MAX_WAITING) return 'too-many';
      current.running -= 1;
      await new Promise<void>((resolve) => current.waiting.push(resolve));
      current.running += 1;
    }
  }

  async function fail(keys: Keys, current: Current): Promise<boolean> {
    const [failures] = await Promise.all([
      keyValues.increment(keys.failures, blockMs),
      keyValues.increment(keys.ofName, intervalMs),
      keyValues.increment(keys.ofAddress, intervalMs),
    ]);
    current.failed += 1;
    if (failures < maxAttempts) return false;
    await keyValues.set(keys.block, '1', blockMs);
    await keyValues.delete(keys.failures);
    return true;
  }

  async function remember(key: string): Promise<void> {
    const nowMs = clock.now();
    const lastMs = remembered.get(key);
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < KNOWN_AGAIN_MS) return;
    await keyValues.set(key, '1', KNOWN_MS);
    remembered.delete(key);
    remembered.set(key, nowMs);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }
}

type Keys = ReturnType<typeof keysOf>;

/** The keys contain digests only: a user may have typed a password into the field of the name. */
function keysOf(kind: SubjectKind, { name, address }: Attempt, digest: (text: string) => string) {
  const network = networkOf(address);
  const pair = digest(`${name}\n${network}`);
  return {
    block: `attempts:${kind}:block:${pair}`,
    failures: `attempts:${kind}:failures:${pair}`,
    known: `attempts:${kind}:known:${pair}`,
    ofName: `attempts:${kind}:name:${digest(name)}`,
    // Guesses of passwords and of secrets from one address count together.
    ofAddress: `attempts:address:${digest(network)}`,
  };
}
