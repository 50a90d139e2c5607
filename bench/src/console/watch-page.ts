import type { BrowserContext, Page } from 'playwright-core';

/** When something was shown, in milliseconds since the epoch, and when the last response came that it needed. */
export interface Shown {
  readonly paintedAt: number;
  /** Undefined where no response was needed. */
  readonly responseAt: number | undefined;
}

/** In each page, before its own scripts: looks for a condition in each frame, and reads the time when it is painted. */
const WATCH = `
performance.setResourceTimingBufferSize(10000);
globalThis.lintelWatch = (holds, responses) => {
  const begin = performance.now();
  globalThis.lintelShown = new Promise((resolve, reject) => {
    const look = () => {
      if (performance.now() - begin > 60000) return reject(new Error(holds + ' does not hold'));
      if (!holds()) return requestAnimationFrame(look);
      // What is sent in a frame arrives after the frame is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const paintedAt = performance.now();
          const ends = performance.getEntriesByType('resource')
            .filter(({ name, responseEnd, startTime }) =>
              responses.test(name) && startTime >= begin - 5 && responseEnd > 0 && responseEnd <= paintedAt)
            .map(({ responseEnd }) => responseEnd);
          const { timeOrigin } = performance;
          resolve({
            paintedAt: timeOrigin + paintedAt,
            responseAt: ends.length === 0 ? undefined : timeOrigin + Math.max(...ends),
          });
        };
        port2.postMessage(undefined);
      });
    };
    look();
  });
};
`;

/** Makes all pages of a browser say when something is shown in them. */
export const watchPages = (context: BrowserContext): Promise<unknown> => context.addInitScript(WATCH);

/**
 * Does something in a page, and waits until the condition, an expression of JavaScript, holds and is painted.
 *
 * @param responses matches the addresses of the responses that it needs
 */
export async function timeOf(
  page: Page,
  condition: string,
  responses: RegExp,
  act: () => Promise<unknown>,
): Promise<Shown> {
  await page.evaluate(`lintelWatch(() => ${condition}, ${responses})`);
  await act();
  return await page.evaluate<Shown>('lintelShown');
}

/** Opens a page, and waits until an element is there and painted; milliseconds since the begin. */
export async function timeOfOpening(page: Page, selector: string, open: () => Promise<unknown>): Promise<number> {
  const begin = Date.now();
  await open();
  // A login leads through several pages: the last one has it.
  await page.locator(selector).first().waitFor();
  const condition = `document.querySelector(${JSON.stringify(selector)}) !== null`;
  const { paintedAt } = await timeOf(page, condition, /^$/, async () => undefined);
  return paintedAt - begin;
}
