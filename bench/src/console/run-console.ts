import { provide } from '@lintel/testkit/backends';
import { type Browser, chromium, type Page } from 'playwright-core';
import { medianOf, quantileOf } from '../measure/statistics.ts';
import { STEPS } from './steps.ts';
import { timeOf, timeOfOpening, watchPages } from './watch-page.ts';

/** Milliseconds of all rounds. */
export interface ConsoleFigure {
  readonly what: string;
  /** `page`: from the request of the page; `response`: from the last response of the API. */
  readonly since: 'page' | 'response';
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly limitMs: number;
}

/** A page may take so long to be shown. */
const PAGE_LIMIT_MS = 1_000;
/** What the API has sent may take so long to be shown. */
const RESPONSE_LIMIT_MS = 100;
const HIGH = 0.9;
const LOGIN = 'input[name=username]';
const TABLE = '#content tbody a';
const LIST = 'console/data/sales_Order';

/**
 * How quickly the console of a running system with the example `sales` shows its pages, in Chromium: whole pages since
 * they are opened, lists and forms since the response of the API. Each round has a browser without a cache at first.
 */
export async function runConsole(
  url: string,
  rounds: number,
  onProgress: (step: string) => void,
): Promise<readonly ConsoleFigure[]> {
  await using stack = new AsyncDisposableStack();
  const programs = stack.adopt(await provide({ chromium: true }, onProgress), (provided) => provided.stop());
  const browser = stack.adopt(
    await chromium.launch({
      executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    }),
    (started) => started.close(),
  );
  const values = new Map<string, Measured[]>();
  // The first round warms up the server.
  for (let round = 0; round <= rounds; round++) {
    onProgress(round === 0 ? 'Warming up' : `Round ${round} of ${rounds}`);
    const measured = await runRound(browser, url.replace(/\/$/, ''));
    if (round > 0) for (const each of measured) values.set(each.what, [...(values.get(each.what) ?? []), each]);
  }
  const responses = new Set(STEPS.map(({ what }) => what));
  return [...values].map(([what, all]) => {
    const ascending = all.map(({ ms }) => ms).toSorted((left, right) => left - right);
    const since = responses.has(what) ? 'response' : 'page';
    const limitMs = since === 'page' ? PAGE_LIMIT_MS : RESPONSE_LIMIT_MS;
    return { what, since, medianMs: medianOf(ascending), p90Ms: quantileOf(ascending, HIGH), limitMs };
  });
}

interface Measured {
  readonly what: string;
  readonly ms: number;
}

async function runRound(browser: Browser, url: string): Promise<readonly Measured[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, locale: 'en' });
  try {
    await watchPages(context);
    const page = await context.newPage();
    return [...(await openings(page, url)), ...(await steps(page, url))];
  } finally {
    await context.close();
  }
}

/** Whole pages, the first of them in a browser that has nothing of the console yet. */
async function openings(page: Page, url: string): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  const measure = async (what: string, selector: string, open: () => Promise<unknown>) => {
    measured.push({ what, ms: await timeOfOpening(page, selector, open) });
  };
  const goto = () => page.goto(`${url}/${LIST}`, { waitUntil: 'commit' });
  const reload = () => page.reload({ waitUntil: 'commit' });
  await measure('page of the login, in a browser without a cache', LOGIN, goto);
  await page.fill('input[name=username]', 'admin');
  await page.fill('input[type=password]', 'admin');
  await measure('list of orders, from the login on', TABLE, () => page.keyboard.press('Enter'));
  const network = await page.context().newCDPSession(page);
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await measure('list of orders, loaded again without a cache', TABLE, reload);
  await network.send('Network.setCacheDisabled', { cacheDisabled: false });
  await measure('list of orders, loaded again', TABLE, reload);
  return measured;
}

/** Lists and forms, one after the other in one tab. */
async function steps(page: Page, url: string): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  await page.goto(`${url}/console/data`);
  await page.locator('#content h1').waitFor();
  for (const { what, condition, responses, act } of STEPS) {
    const { paintedAt, responseAt } = await timeOf(page, condition, responses, () => act(page));
    if (responseAt === undefined) throw new Error(`${what}: no response of ${String(responses)} was needed`);
    measured.push({ what, ms: paintedAt - responseAt });
  }
  return measured;
}
