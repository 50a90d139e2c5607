import type { Browser } from 'playwright-core';
import { createBrowserKeeper } from './browser-keeper.ts';

interface FakeBrowser {
  readonly number: number;
  connected: boolean;
  closed: boolean;
}

function browsers(): { readonly all: FakeBrowser[]; launch(): Promise<Browser> } {
  const all: FakeBrowser[] = [];
  return {
    all,
    async launch() {
      const own: FakeBrowser = { number: all.length, connected: true, closed: false };
      all.push(own);
      const browser = {
        own,
        isConnected: () => own.connected,
        close: async () => {
          own.closed = true;
        },
      };
      return browser as unknown as Browser;
    },
  };
}
const numberOf = async (browser: Browser): Promise<number> => (browser as unknown as { own: FakeBrowser }).own.number;

test('one browser serves all, also at the same time', async () => {
  const { all, launch } = browsers();
  const keeper = createBrowserKeeper(launch, 100);
  expect(await Promise.all([keeper.use(numberOf), keeper.use(numberOf), keeper.use(numberOf)])).toEqual([0, 0, 0]);
  await keeper.close();
  expect(all).toEqual([{ number: 0, connected: true, closed: true }]);
});

test('a browser that has crashed is followed by another', async () => {
  const { all, launch } = browsers();
  const keeper = createBrowserKeeper(launch, 100);
  await keeper.use(numberOf);
  for (const browser of all) browser.connected = false;
  expect(await Promise.all([keeper.use(numberOf), keeper.use(numberOf)])).toEqual([1, 1]);
});

// Asserts contract/report-templates.md#conversion.
test('a browser that has done enough is closed when its last page is done', async () => {
  const { all, launch } = browsers();
  const keeper = createBrowserKeeper(launch, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = keeper.use(async () => promise);
  expect(await keeper.use(numberOf)).toBe(1);
  expect(all[0]?.closed).toBe(false);
  resolve();
  await first;
  await new Promise(setImmediate);
  expect(all[0]?.closed).toBe(true);
});

test('a browser that does not start is tried again', async () => {
  const { launch } = browsers();
  let attempts = 0;
  const keeper = createBrowserKeeper(() => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('no memory')) : launch();
  }, 100);
  await expect(keeper.use(numberOf)).rejects.toThrow('no memory');
  expect(await keeper.use(numberOf)).toBe(0);
});
