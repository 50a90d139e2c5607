import type { KeyValueStore } from '@lintel/cache';
import { networkOf } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import { Semaphore } from '@lintel/timing';
import { countedName } from '../attempts/counted-name.ts';
import type { NameDigest } from '../attempts/name-digest.ts';

/** Sends mails that any client can request, within limits and after the response. */
export interface MailQueue {
  /**
   * Begins a task and resolves before it has looked anything up: neither the response nor its time depends on what
   * there is. False if the address has requested too many; above the limit of a name the task is left out.
   */
  offer(kind: string, name: string, address: string, task: () => Promise<void>): Promise<boolean>;
}

export interface MailQueueDeps {
  readonly keyValues: Pick<KeyValueStore, 'increment'>;
  readonly nameDigest: NameDigest;
  readonly logger: Logger;
}

const HOUR_MS = 3_600_000;
const MAX_PER_NAME = 3;
const MAX_PER_ADDRESS = 30;
const MAX_SENDING = 4;
/** Requests above it are dropped: the user asks again. */
const MAX_WAITING = 200;

export function createMailQueue({ keyValues, nameDigest, logger }: MailQueueDeps): MailQueue {
  const sending = new Semaphore(MAX_SENDING);
  let waiting = 0;
  return {
    async offer(kind, name, address, task) {
      const [ofAddress, ofName] = await Promise.all([
        keyValues.increment(`mail:address:${nameDigest.of(networkOf(address))}`, HOUR_MS),
        keyValues.increment(`mail:${kind}:${nameDigest.of(countedName(name))}`, HOUR_MS),
      ]);
      if (ofAddress > MAX_PER_ADDRESS) return false;
      if (ofName > MAX_PER_NAME || waiting >= MAX_WAITING) return true;
      waiting += 1;
      void sending
        .run(task)
        .catch((error: unknown) => logger.error({ kind, error: nameOf(error) }, 'a mail was not sent'))
        .finally(() => {
          waiting -= 1;
        });
      return true;
    },
  };
}

/** Errors of a mail server quote the address of the user. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${String((error as { readonly code?: unknown }).code ?? '')}` : 'unknown';
