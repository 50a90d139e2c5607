import { CacheMeter } from '@lintel/cache';
import type { EventBus } from '@lintel/events';
import { createLogger } from '@lintel/telemetry';
import { followRotations } from './rotate-keys.ts';

test('the keys of others are taken over when word of them comes, and when it may have been missed', async () => {
  let looks = 0;
  let change: Parameters<EventBus['onConnection']>[0] = () => {};
  let handle: Parameters<EventBus['subscribe']>[0]['handle'] | undefined;
  const bus: EventBus = {
    publish: async () => {},
    async subscribe(options) {
      handle = options.handle;
      return { close: async () => {} };
    },
    onConnection: (listener) => {
      change = listener;
    },
    isConnected: () => true,
    close: async () => {},
  };
  const rotation = {
    rotate: () => Promise.reject(new Error('not asked for')),
    async tick() {
      looks += 1;
      if (looks === 3) throw new Error('no database');
    },
  };
  const warnings: string[] = [];
  const logger = createLogger({
    service: 'auth',
    level: 'warn',
    destination: { write: (line) => void warnings.push(line) },
  });
  await followRotations(bus, rotation, { meter: new CacheMeter('test', { entries: () => 1 }), logger });
  await handle?.({} as Parameters<NonNullable<typeof handle>>[0]);
  expect(looks).toBe(1);
  change('disconnected');
  expect(looks).toBe(1);
  change('connected');
  expect(looks).toBe(2);
  change('connected');
  await new Promise(setImmediate);
  expect(warnings).toHaveLength(1);
});
