import type { Browser } from 'playwright-core';

/** Keeps one browser for all pages: started when needed, replaced when it has crashed or done enough. */
export interface BrowserKeeper {
  /** Lends the browser to a task. */
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
 * @param mostUses a new browser after that many
 */
export function createBrowserKeeper(launch: () => Promise<Browser>, mostUses: number): BrowserKeeper {
  let current: Running | undefined;
  const end = async ({ browser }: Running): Promise<void> => {
    const started = await browser.catch(() => undefined);
    await started?.close().catch(() => undefined);
  };
  const isUsable = async (running: Running): Promise<boolean> =>
    running.uses < mostUses && (await running.browser.then((browser) => browser.isConnected()).catch(() => false));

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
        // Whoever is the last in a browser that was replaced turns off the light.
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
