import { PlatformError } from '@lintel/errors';
import { createRouter, hasBearerSecret, principalOf, sendJson } from '@lintel/http';
import type { RequestHandler, Response, Router } from 'express';
import { type SendPorts, sendDownload } from '../downloads/send-download.ts';
import { receiveQuery } from '../transfers/receive-query.ts';
import { receiveUpload, type UploadRules } from '../uploads/receive-upload.ts';
import { removeFile } from './remove-file.ts';

export interface InternalPorts extends UploadRules, SendPorts {
  /** Checks the service token of a request. */
  readonly authenticate: RequestHandler;
  readonly internalSecret: string;
}

/**
 * `/internal/files` (`libs/contracts/src/internal-api.ts`), where other services read, store and remove files. They
 * authenticate with a service token and have checked the rights of its user themselves.
 */
export function createInternalRouter(ports: InternalPorts): Router {
  const router = createRouter();
  router.get('/files', ports.authenticate, async (request, response) => {
    serviceOf(response);
    await sendDownload(request, receiveQuery(request), response, ports);
  });
  router.post('/files', ports.authenticate, async (request, response) => {
    const authorize = (): string => serviceOf(response);
    const { fileRef, name, size } = await receiveUpload(request, receiveQuery(request), authorize, ports);
    sendJson(response, 201, { fileRef, name, size });
  });
  // Files of expired runs are removed without a user: the shared secret is sufficient.
  router.delete('/files', unlessSecret(ports), async (request, response) => {
    const service = principalOf(response) === undefined ? undefined : serviceOf(response);
    await removeFile(receiveQuery(request).get('fileRef') ?? undefined, service, ports.storages);
    response.status(204).end();
  });
  return router;
}

const unlessSecret =
  ({ authenticate, internalSecret }: InternalPorts): RequestHandler =>
  async (request, response, next) => {
    if (hasBearerSecret(request.headers.authorization, internalSecret)) next();
    else await authenticate(request, response, next);
  };

/** The service that acts for the user of the token. */
function serviceOf(response: Response): string {
  const service = principalOf(response)?.actingService;
  if (service === undefined) throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  return service;
}
