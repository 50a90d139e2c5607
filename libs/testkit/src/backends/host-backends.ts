import { BACKENDS, type BackendName, PRODUCTS } from './backend.ts';
import { type BackendResult, startProvision } from './provide.ts';

/** What the host process writes to its standard output for each backend, as a line of JSON, once its result is known. */
export interface HostMessage {
  readonly backend: BackendName;
  /** The `LINTEL_TEST_*` variables that lead to it; none where it is absent. */
  readonly environment: Readonly<Record<string, string>>;
  readonly origin?: string;
  readonly seconds?: number;
  /** Why it is absent, where it may be. */
  readonly missing?: string;
  /** Why it cannot be had, with the remedy. */
  readonly error?: string;
}

/**
 * Body of the process that holds the servers of a test run. They live as long as its standard input is
 * open, so they go away however the run ends, killed included.
 */
export async function hostBackends(names: readonly string[]): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve).resume();
    // Ctrl-C reaches the whole group; the servers must outlive the tests that use them.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', resolve);
  });
  const provision = startProvision(
    BACKENDS.filter((backend) => names.includes(backend)),
    (step) => process.stderr.write(`  ${step}\n`),
    (result) => {
      if ('missing' in result)
        process.stderr.write(
          `\n*** ${PRODUCTS[result.backend].toUpperCase()} IS MISSING and allowed to be: ${result.missing} ***\n\n`,
        );
      process.stdout.write(`${JSON.stringify(messageOf(result))}\n`);
    },
  );
  await ended;
  await provision.stop();
  process.exit();
}

function messageOf(result: BackendResult): HostMessage {
  if (!('running' in result)) return { environment: {}, ...result };
  const { backend, running, seconds } = result;
  return { backend, environment: running.environment, origin: running.origin, seconds };
}
