import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

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

const CUT = 'net::ERR_NETWORK_CHANGED';

/**
 * Opens an address and waits for what its page shows. Chromium cuts requests that wait for a connection when an
 * interface of the machine appears or disappears, as with each container that starts: the page then lacks a part.
 *
 * @returns false if a request was cut: a new page has to be opened
 */
export function opens(page: Page, url: string, shown: Locator): Promise<boolean> {
  const cut = new Promise<boolean>((resolve) => {
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === CUT) resolve(false);
    });
  });
  const open = async (): Promise<boolean> => {
    await page.goto(url);
    await shown.waitFor();
    return true;
  };
  return Promise.race([
    cut,
    open().catch((error: Error) => {
      if (error.message.includes(CUT)) return false;
      throw error;
    }),
  ]);
}
