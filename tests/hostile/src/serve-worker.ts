import type { Failed } from './start-worker.ts';

/** In a process of `startWorker`: responds to each command with what it resolves to; ends with the test. */
export function serveWorker<Command, Response>(carryOut: (command: Command) => Promise<Response>): void {
  process.on('message', (command: Command) => {
    carryOut(command).then(
      (response) => void process.send?.(response),
      (error: unknown) => {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send?.({ kind: 'failed', reason } satisfies Failed);
      },
    );
  });
  process.on('disconnect', () => process.exit());
}
