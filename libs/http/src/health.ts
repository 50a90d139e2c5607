import type { Express } from 'express';
import { isDraining } from './draining.ts';
import { sendJson } from './send-error.ts';

/** Named checks; false or a rejection means not ready. */
export type Readiness = Readonly<Record<string, () => Promise<boolean> | boolean>>;

const CHECK_TIMEOUT_MS = 2_000;

/** `/health/live` says that the event loop turns; `/health/ready` asks what the service owns. */
export function routeHealth(app: Express, service: string, readiness: Readiness): void {
  app.get('/health/live', (_request, response) => sendJson(response, 200, { service, status: 'live' }));
  app.get('/health/ready', async (_request, response) => {
    const entries = await Promise.all(
      Object.entries(readiness).map(async ([name, check]) => [name, await isUp(check)] as const),
    );
    const ready = !isDraining(app) && entries.every(([, up]) => up);
    const checks = Object.fromEntries(entries.map(([name, up]) => [name, up ? 'up' : 'down']));
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, ready ? 200 : 503, { service, status: ready ? 'ready' : 'not ready', checks });
  });
}

async function isUp(check: () => Promise<boolean> | boolean): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    // What failed shows in the answer by its name; the port that failed logs why.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
