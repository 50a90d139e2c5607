import type { IdentityProvider, ProviderProblem, ProviderTest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';

/** Tests providers of the configuration; there is no other address that a caller could name. */
export interface ProviderTests {
  /** @throws PlatformError REQ_NOT_FOUND for a name that is not configured */
  run(name: string): Promise<ProviderTest>;
}

/** What administrators see of the providers, and do with them. */
export interface ProviderAdministration {
  readonly providers: readonly IdentityProvider[];
  readonly tests: ProviderTests;
}

/** The test of each provider, which returns what is wrong. */
export type TestsByName = ReadonlyMap<string, () => Promise<readonly ProviderProblem[]>>;

/** Requests for one provider at the same time share one test. */
export function createProviderTests(tests: TestsByName, nowMs: () => number): ProviderTests {
  const running = new Map<string, Promise<ProviderTest>>();

  async function runNow(test: () => Promise<readonly ProviderProblem[]>): Promise<ProviderTest> {
    const startedAtMs = nowMs();
    const problems = await test();
    return {
      successful: problems.length === 0,
      durationMs: Math.round(nowMs() - startedAtMs),
      problems: [...problems],
    };
  }

  return {
    run(name) {
      const test = tests.get(name);
      if (test === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such identity provider');
      const current = running.get(name) ?? runNow(test).finally(() => running.delete(name));
      running.set(name, current);
      return current;
    },
  };
}
