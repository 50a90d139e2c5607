import type { Browser } from 'playwright-core';

/** Keeps one browser for all pages: started on demand, replaced when it has crashed or reached its number of uses. */
export interface BrowserKeeper {
  /** Runs a task with the browser. */
  use<T>(task: (browser: Browser) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Running {
  readonly browser: Promise<Browser>;
  uses: number;
  open: number;
}

/**
 * @param launch starts a browser
 * @param maxUses the browser is replaced after so many tasks
 */
export function createBrowserKeeper(launch: () => Promise<Browser>, maxUses: number): BrowserKeeper {
  let current: Running | undefined;
  const end = async ({ browser }: Running): Promise<void> => {
    const started = await browser.catch(() => undefined);
    await started?.close().catch(() => undefined);
  };
  const isUsable = async (running: Running): Promise<boolean> =>
    running.uses < maxUses && (await running.browser.then((browser) => browser.isConnected()).catch(() => false));

  async function take(): Promise<Running> {
    const known = current;
    if (known !== undefined && !(await isUsable(known)) && current === known) {
      current = undefined;
      if (known.open === 0) void end(known);
    }
    current ??= { browser: launch(), uses: 0, open: 0 };
    current.uses += 1;
    current.open += 1;
    return current;
  }

  return {
    async use(task) {
      const running = await take();
      try {
        return await task(await running.browser);
      } finally {
        running.open -= 1;
        // A replaced browser is closed after its last task.
        if (running !== current && running.open === 0) void end(running);
      }
    },
    async close() {
      const last = current;
      current = undefined;
      if (last !== undefined) await end(last);
    },
  };
}
