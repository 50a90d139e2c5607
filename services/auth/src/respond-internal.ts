import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { z } from 'zod';

/** Adds a route of the internal listener, which returns what the work makes of the body of the request. */
export function respondInternal<S extends z.ZodType>(
  router: Router,
  path: string,
  schema: S,
  work: (body: z.infer<S>) => object | Promise<object>,
): void {
  router.post(path, async (request, response) => {
    sendJson(response, 200, await work(await receiveJson(request, schema)));
  });
}
