import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type Browser, chromium } from 'playwright-core';

/** How long a busy machine may take for a step on a page. */
export const PATIENCE_MS = 60_000;

/**
 * Starts Chromium before the tests of a file and closes it after them; the result is for use within tests.
 *
 * @param args further parameters of Chromium
 */
export function browserOfTests(args: readonly string[] = []): () => Browser {
  let programs: ProvidedBackends;
  let browser: Browser;
  beforeAll(async () => {
    programs = await provide({ chromium: true });
    browser = await chromium.launch({
      executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
      // Its sandbox is not for root, as whom tests run in containers.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await programs?.stop();
  });
  return () => browser;
}
