import { fileDescriptionsRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createRouter, hasBearerSecret, principalOf, readBody, sendJson, singleValue } from '@lintel/http';
import type { RequestHandler, Response, Router } from 'express';
import { uploaderKey, uploaderOf } from '../access/file-access.ts';
import { type SendPorts, sendDownload } from '../downloads/send-download.ts';
import { locateFile } from '../references/locate-file.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';
import { receiveQuery } from '../transfers/receive-query.ts';
import { receiveUpload, type UploadRules } from '../uploads/receive-upload.ts';
import type { FileOrigin } from '../uploads/upload-file.ts';
import { describeFiles, listFiles } from './list-files.ts';

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
  // The data service reads what the application attaches to mails, for no user.
  router.get('/files', unlessSecret(ports), async (request, response) => {
    if (!hasBearerSecret(request.headers.authorization, ports.internalSecret)) serviceOf(response);
    await sendDownload(request, receiveQuery(request), response, ports);
  });
  router.post('/files', unlessSecret(ports), async (request, response) => {
    const query = receiveQuery(request);
    const authorize = (): FileOrigin => {
      const principal = principalOf(response);
      // An export that its user does not wait for has no token of the user.
      const uploader = singleValue(query, 'uploader') ?? '';
      if (principal === undefined && uploader !== '' && isOfUser(query))
        return { storedBy: undefined, uploadedBy: uploaderKey(uploader) };
      const service = serviceOf(response);
      const storedBy = isOfUser(query) ? undefined : service;
      return { storedBy, uploadedBy: principal === undefined ? undefined : uploaderOf(principal) };
    };
    const { fileRef, name, size } = await receiveUpload(request, query, authorize, ports);
    sendJson(response, 201, { fileRef, name, size });
  });
  // Files of expired runs are removed without a user: the shared secret is sufficient.
  router.delete('/files', unlessSecret(ports), async (request, response) => {
    const query = receiveQuery(request);
    const service = principalOf(response) === undefined ? undefined : serviceOf(response);
    const remover = isOfUser(query) && service === undefined ? OF_USERS : service;
    await removeFile(query.get('fileRef') ?? undefined, remover, ports.storages);
    response.status(204).end();
  });
  // The data service looks for files that nothing refers to; it acts for no user.
  router.get('/files/listing', onlySecret(ports), async (request, response) => {
    sendJson(response, 200, await listFiles(receiveQuery(request), ports.storages));
  });
  router.post('/files/descriptions', onlySecret(ports), async (request, response) => {
    const body = (await readBody(request, MAX_DESCRIPTIONS_BYTES)).toString('utf8');
    const { fileRefs, reader } = descriptionsOf(body);
    const files = await describeFiles(fileRefs, ports.storages, { reader, nowMs: ports.clock.now() });
    sendJson(response, 200, { files });
  });
  return router;
}

/** 200 references. */
const MAX_DESCRIPTIONS_BYTES = 1024 * 1024;

function descriptionsOf(body: string): ReturnType<typeof fileDescriptionsRequestSchema.parse> {
  try {
    return fileDescriptionsRequestSchema.parse(JSON.parse(body));
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The body must have fileRefs', { cause });
  }
}

const onlySecret =
  ({ internalSecret }: InternalPorts): RequestHandler =>
  (request, _response, next) => {
    if (!hasBearerSecret(request.headers.authorization, internalSecret))
      throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
    next();
  };

const unlessSecret =
  ({ authenticate, internalSecret }: InternalPorts): RequestHandler =>
  async (request, response, next) => {
    if (hasBearerSecret(request.headers.authorization, internalSecret)) next();
    else await authenticate(request, response, next);
  };

/** @throws REQ_INVALID_PARAMETER for another value of `uploaded` than `true` and `false` */
function isOfUser(query: URLSearchParams): boolean {
  const value = singleValue(query, 'uploaded') ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new PlatformError('REQ_INVALID_PARAMETER', `Parameter 'uploaded' must be true or false, not ${value}`);
}

/** The service that acts for the user of the token. */
function serviceOf(response: Response): string {
  const service = principalOf(response)?.actingService;
  if (service === undefined) throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  return service;
}

/**
 * Stands for the data service, which has examined that nothing refers to the file: it removes files of users, and none
 * of services.
 */
const OF_USERS = Symbol('files of users');

/**
 * Removes a file; one that does not exist is not an error.
 *
 * @param remover the calling service; undefined if any service may have stored the file
 * @throws FILE_REMOVAL_DENIED for files of users and of other services, and with `OF_USERS` for those of services
 */
async function removeFile(
  fileRef: string | undefined,
  remover: string | typeof OF_USERS | undefined,
  storages: FileStorages,
): Promise<void> {
  const { reference, storage } = locateFile(fileRef, storages);
  const blob = await storage.store.find(reference.path);
  if (blob === undefined) return;
  const isOwn = remover === undefined ? blob.storedBy !== undefined : blob.storedBy === remover;
  if (remover === OF_USERS ? blob.storedBy !== undefined : !isOwn)
    throw new PlatformError('FILE_REMOVAL_DENIED', 'Only the service that stored a file may remove it');
  await storage.store.remove(reference.path);
}
