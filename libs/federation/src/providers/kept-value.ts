import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';

/** A value that is read from a provider, and kept for a time. */
export interface KeptValue<T> {
  /** The value. If it is old and cannot be read again, the former value stays in use. Rejects if it was never read. */
  current(): Promise<T>;
  /** A newer value than this one; undefined if it was read a short time ago, or cannot be read. */
  newerThan(value: T): Promise<T | undefined>;
}

export interface KeptValueOptions {
  readonly clock: Clock;
  readonly maxAgeMs: number;
  /** Between two attempts that `newerThan` makes. */
  readonly minIntervalMs: number;
  /** Name of the provider, for the warning that a known value could not be read again. */
  readonly provider: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Requests that need the value at the same time share one attempt to read it. */
export function createKeptValue<T extends object>(
  read: () => Promise<T>,
  { clock, maxAgeMs, minIntervalMs, provider, logger }: KeptValueOptions,
): KeptValue<T> {
  let known: T | undefined;
  let attemptedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<T> | undefined;

  async function attempt(): Promise<T> {
    attemptedAtMs = clock.now();
    try {
      known = await read();
    } catch (error) {
      if (known !== undefined) logger.warn({ error, provider }, 'the metadata of a provider could not be read again');
      throw error;
    }
    return known;
  }

  function renewed(): Promise<T> {
    reading ??= attempt().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    async current() {
      const former = known;
      if (former === undefined) return renewed();
      const isOld = clock.now() - attemptedAtMs >= maxAgeMs;
      return isOld ? renewed().catch(() => former) : former;
    },
    async newerThan(value) {
      if (known !== undefined && known !== value) return known;
      if (reading === undefined && clock.now() - attemptedAtMs < minIntervalMs) return undefined;
      return renewed().catch(() => undefined);
    },
  };
}
