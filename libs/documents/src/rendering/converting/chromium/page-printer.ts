import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { importOptional, MissingPackageError, PlatformError } from '@lintel/errors';
import { Semaphore } from '@lintel/timing';
import type { Browser, BrowserContext, LaunchOptions, Route } from 'playwright-core';
import { ReportFailure } from '../../../report-failure.ts';
import { describePicture } from '../../images/describe-picture.ts';
import { CHROMIUM, missingProgram } from '../conversion-program.ts';
import type { DocumentConverters } from '../document-converters.ts';
import { findProgram, type InstalledProgram } from '../find-program.ts';
import type { ConverterPorts, ConverterSettings } from '../settings.ts';
import { type BrowserKeeper, createBrowserKeeper } from './browser-keeper.ts';

/** The time is the one of a page, and of the wait for a free one. */
export interface PrinterOptions
  extends ConverterPorts,
    Pick<ConverterSettings, 'chromiumPath' | 'conversions' | 'chromiumTimeoutMs' | 'chromiumSandbox'> {}

/** Pages after which the browser is replaced. */
const PAGES_PER_BROWSER = 200;
/** URL of the page. It is never resolved: the interception serves every request of the page. */
const PAGE = 'http://document.invalid/';
/** Allows pictures and inline styles; no scripts, frames or forms, and only pictures from other servers. */
const POLICY = "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; font-src data:; sandbox";

const PLAYWRIGHT = { purpose: 'PDF documents of HTML', packages: ['playwright-core@1.65.1'] };

const ARGUMENTS = [
  // A request that bypasses the interception finds no name server, no proxy and no address.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

/** Creates the printer by Chromium: one browser, started on demand, for all pages; each page has its own context. */
export function createPagePrinter(
  options: PrinterOptions,
): Pick<DocumentConverters, 'printHtml' | 'findMissingPackage' | 'close'> & InstalledProgram {
  const pages = new Semaphore(options.conversions);
  let keeper: BrowserKeeper | undefined;
  return {
    async printHtml(html, signal) {
      const program = await findChromium(options);
      if (program === undefined) throw missingProgram(CHROMIUM);
      keeper ??= createBrowserKeeper(() => launch(program, options), PAGES_PER_BROWSER);
      const browsers = keeper;
      const print = (): Promise<Uint8Array> => browsers.use((browser) => printPage(browser, html, options, signal));
      const onTimeout = (): Error => new ReportFailure('Too many documents are being printed; try again later');
      return pages.run(print, { signal, timeoutMs: options.chromiumTimeoutMs, onTimeout });
    },
    isInstalled: async () => (await findChromium(options)) !== undefined,
    findMissingPackage,
    async close() {
      await keeper?.close();
    },
  };
}

/** Resolves the package without loading it. */
function findMissingPackage(): string | undefined {
  try {
    createRequire(import.meta.url).resolve('playwright-core');
    return undefined;
  } catch {
    return new MissingPackageError(PLAYWRIGHT).message;
  }
}

async function launch(program: string, { chromiumSandbox, chromiumTimeoutMs }: PrinterOptions): Promise<Browser> {
  const options: LaunchOptions = {
    executablePath: program,
    headless: true,
    // Chromium does not start with a sandbox as root.
    chromiumSandbox: chromiumSandbox && process.getuid?.() !== 0,
    args: ARGUMENTS,
    timeout: chromiumTimeoutMs,
    // The service closes the browser itself when it shuts down.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Without the environment of this process, which has secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8' },
  };
  try {
    // Loaded on demand: it takes 50 MB, which services without PDF documents do not need. Applications may lack it.
    const { chromium } = await importOptional(PLAYWRIGHT, () => import('playwright-core'));
    return await chromium.launch(options);
  } catch (cause) {
    if (cause instanceof MissingPackageError) throw new PlatformError('REPORT_RUN_FAILED', cause.message, { cause });
    throw new ReportFailure('Chromium, which makes PDF documents of HTML, does not start', { cause });
  }
}

async function printPage(
  browser: Browser,
  html: string,
  options: PrinterOptions,
  runSignal: AbortSignal,
): Promise<Uint8Array> {
  runSignal.throwIfAborted();
  const deadline = AbortSignal.timeout(options.chromiumTimeoutMs);
  const signal = AbortSignal.any([runSignal, deadline]);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    acceptDownloads: false,
    serviceWorkers: 'block',
    locale: 'en-US',
  });
  // Closing the context ends everything that runs in it.
  const stop = (): void => void context.close().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await print(context, html, options, signal);
  } catch (cause) {
    runSignal.throwIfAborted();
    throw deadline.aborted
      ? new ReportFailure(`The page was not printed within ${Math.round(options.chromiumTimeoutMs / 1000)} seconds`, {
          cause,
        })
      : new ReportFailure('The page cannot be printed', { cause });
  } finally {
    signal.removeEventListener('abort', stop);
    await context.close().catch(() => undefined);
  }
}

async function print(
  context: BrowserContext,
  html: string,
  { readRemote, logger, chromiumTimeoutMs }: PrinterOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let isServed = false;
  await context.route('**/*', async (route: Route) => {
    const request = route.request();
    if (request.isNavigationRequest() && request.url() === PAGE && !isServed) {
      isServed = true;
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY };
      return route.fulfill({ status: 200, headers, body: html });
    }
    if (request.resourceType() !== 'image' || !/^https?:/.test(request.url())) return route.abort('blockedbyclient');
    try {
      const bytes = await readRemote(request.url(), signal);
      return await route.fulfill({
        status: 200,
        contentType: describePicture(bytes).contentType,
        body: Buffer.from(bytes),
      });
    } catch (error) {
      // As in a browser: a picture that cannot be loaded leaves a gap, and the document is made.
      logger.warn({ err: error, host: URL.parse(request.url())?.host }, 'a picture of a page was not loaded');
      return route.abort('blockedbyclient');
    }
  });
  const page = await context.newPage();
  await page.goto(PAGE, { waitUntil: 'load', timeout: chromiumTimeoutMs });
  return page.pdf({ preferCSSPageSize: true, printBackground: true, format: 'A4', tagged: true });
}

const findChromium = ({ chromiumPath }: PrinterOptions): Promise<string | undefined> =>
  findProgram({
    configured: chromiumPath,
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'headless_shell', 'chrome'],
    subfolders: ['.', 'bin'],
    defaultFolders: ['/usr/bin', '/usr/local/bin', '/usr/lib/chromium', '/opt/chromium'],
  });
