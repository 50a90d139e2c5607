import { BACKENDS, type BackendName, PRODUCTS } from './backend.ts';
import { provide } from './provide.ts';

/** What the host process writes to its standard output, as one line of JSON, when the servers are there. */
export interface HostAnswer {
  readonly environment?: Readonly<Record<string, string>>;
  readonly origins?: readonly { readonly backend: BackendName; readonly origin: string; readonly seconds: number }[];
  readonly missing?: readonly { readonly backend: BackendName; readonly reason: string }[];
  readonly error?: string;
}

/**
 * Body of the process that holds the servers of a test run. They live as long as its standard input is
 * open, so they go away however the run ends, killed included.
 */
export async function hostBackends(names: readonly string[]): Promise<void> {
  const wanted = Object.fromEntries(BACKENDS.map((backend) => [backend, names.includes(backend)]));
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve).resume();
    // Ctrl-C reaches the whole group; the servers must outlive the tests that use them.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', resolve);
  });
  const answer = (value: HostAnswer): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
  try {
    const backends = await provide(wanted, (step) => process.stderr.write(`  ${step}\n`));
    for (const { backend, reason } of backends.missing) {
      process.stderr.write(`\n*** ${PRODUCTS[backend].toUpperCase()} IS MISSING and allowed to be: ${reason} ***\n\n`);
    }
    answer(backends);
    await ended;
    await backends.stop();
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  }
  process.exit();
}
