import type { CacheMeter } from '@lintel/cache';
import type { EventBus, Subscription } from '@lintel/events';
import type { Logger } from '@lintel/telemetry';
import type { EventPublisher } from '../event-publisher.ts';
import type { KeyRing } from './key-ring.ts';

export interface KeyRotationDeps {
  readonly keys: KeyRing;
  readonly events: EventPublisher;
  readonly logger: Logger;
  /** Age at which a key is superseded. */
  readonly intervalMs: number;
  /** Maximum lifetime of the tokens that a key signs. */
  readonly longestTokenMs: number;
  /** Called when the keys of this replica have changed. */
  readonly onChanged: () => Promise<void>;
}

/** Rotates the signing keys, in all replicas. */
export interface KeyRotation {
  /** Creates a new key now. @returns its id */
  rotate(options: { readonly retireOthers: boolean }): Promise<string>;
  /** Creates one if it is due, and loads keys that other replicas have created. */
  tick(): Promise<void>;
}

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { keys, events, logger } = deps;
  const takeOver = async (): Promise<void> => {
    if (await keys.reload()) await deps.onChanged();
  };
  const announce = async (kid: string): Promise<void> => {
    logger.info({ kid }, 'a new signing key was made');
    await takeOver();
    await events.publish('auth.keys.rotated.v1', kid, { kid });
  };
  return {
    async rotate(options) {
      const kid = await keys.rotate(options);
      await announce(kid);
      return kid;
    },
    async tick() {
      const kid = await keys.rotateIfOlderThan(deps.intervalMs);
      await keys.removeSuperseded(deps.longestTokenMs);
      if (kid === undefined) await takeOver();
      else await announce(kid);
    },
  };
}

/** Loads keys that another replica has created, also where the event may have been missed. */
export function followRotations(
  bus: EventBus,
  rotation: KeyRotation,
  { meter, logger }: { readonly meter: CacheMeter; readonly logger: Logger },
): Promise<Subscription> {
  bus.onConnection((state) => {
    if (state !== 'connected') return;
    meter.countInvalidation('connection');
    rotation.tick().catch((error: unknown) => logger.warn({ error }, 'the signing keys were not looked after'));
  });
  return bus.subscribe({
    queue: { kind: 'replica', service: 'auth' },
    types: ['auth.keys.rotated.v1'],
    handle({ type }) {
      meter.countInvalidation(type);
      return rotation.tick();
    },
  });
}
