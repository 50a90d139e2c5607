/** A process with a server whose routes fail in all ways in which callbacks can; run by `end-on-failure.int.test.ts`. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger } from '@lintel/telemetry';
import { listen } from '../src/server/listen.ts';
import { runUntilSignal } from '../src/server/run-until-signal.ts';
import { createServiceApp } from '../src/server/service-app.ts';

const failure = (): never => {
  throw new Error('failed on purpose');
};

const FAILURES: Readonly<Record<string, () => unknown>> = {
  handler: failure,
  asyncHandler: async () => failure(),
  timeout: () => setTimeout(failure),
  interval: () => setInterval(failure, 1),
  immediate: () => setImmediate(failure),
  nextTick: () => process.nextTick(failure),
  microtask: () => queueMicrotask(failure),
  promise: () => void Promise.reject(new Error('failed on purpose')),
  asyncTimer: () => setTimeout(async () => failure()),
  emitter: () => setTimeout(() => new EventEmitter().emit('error', new Error('failed on purpose'))),
  stream: () => new PassThrough().destroy(new Error('failed on purpose')),
  notAnError: () => setTimeout(() => Promise.reject('failed on purpose')),
  block: () => {
    const end = performance.now() + 1_500;
    while (performance.now() < end);
  },
};

/** Resolves when a route is about to fail. */
const failing = Promise.withResolvers<void>();

const logger = createLogger({ service: 'failing', level: 'info' });
const app = createServiceApp({
  service: 'failing',
  internalSecret: undefined,
  logger,
  readiness: {},
  configure(express) {
    express.get('/fail/:entityName', async (request, response) => {
      const fail = FAILURES[request.params.entityName];
      if (fail !== undefined) failing.resolve();
      await fail?.();
      response.json('ok');
    });
    // Under way when the other route fails, however slow the machine is.
    express.get('/slow', async (_request, response) => {
      await failing.promise;
      setTimeout(() => response.json('slow'), 200);
    });
  },
});
const server = await listen(app, { host: '127.0.0.1', port: 0, drainMs: 3_000 });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
runUntilSignal({ logger, close: () => server.close(), drainMs: 3_000 });
