import type { IncomingMessage } from 'node:http';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createRouter, drainRequest, preferencesOf, publicUrlOf, sendJson, shareCallerOf } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { guardUpload, type TransferPace } from '../guard-against-stall.ts';
import { formatUploadId } from '../incoming/upload-id.ts';
import type { FileReferenceObject } from '../uploads/upload-file.ts';
import type { UploadCompletion } from './complete-upload.ts';
import { type CreationPorts, createUpload } from './create-upload.ts';
import { receiveBytes } from './receive-bytes.ts';
import { endCounting, loadUpload, type ResumableUpload } from './resumable-upload.ts';
import { assertBytes, assertTusVersion, hasBytes, TUS_EXTENSIONS, TUS_VERSION, uploadOffsetOf } from './tus-headers.ts';

export interface ResumablePorts extends CreationPorts {
  /** Throws where the caller may not upload; counts a request that transfers bytes. */
  readonly authorize: (request: IncomingMessage, response: Response, isTransfer: boolean) => Principal;
  readonly completion: UploadCompletion;
  readonly passed: (bytes: number) => void;
  readonly pace: TransferPace;
}

/** `/files/uploads`: uploads by the protocol tus 1.0 (contract/files.md#resumable). */
export function createResumableRouter(ports: ResumablePorts): Router {
  const router = createRouter();
  router.use(announce);
  router.options('/', describe(ports));
  router.post('/', create(ports));
  router.head('/:uploadId', show(ports));
  router.get('/:uploadId', result(ports));
  router.patch('/:uploadId', append(ports));
  router.delete('/:uploadId', end(ports));
  // For clients that cannot send PATCH or DELETE; tus requires it of servers.
  router.post(
    '/:uploadId',
    override(
      new Map([
        ['PATCH', append(ports)],
        ['DELETE', end(ports)],
      ]),
    ),
  );
  return router;
}

const announce: RequestHandler = (_request, response, next) => {
  response.setHeader('Tus-Resumable', TUS_VERSION);
  // Offsets must never come from a cache.
  response.setHeader('Cache-Control', 'no-store');
  next();
};

const describe =
  (ports: ResumablePorts): RequestHandler =>
  (request, response) => {
    ports.authorize(request, response, false);
    response.setHeader('Tus-Version', TUS_VERSION);
    response.setHeader('Tus-Extension', TUS_EXTENSIONS);
    const { maxFileSizeBytes } = ports;
    if (Number.isFinite(maxFileSizeBytes)) response.setHeader('Tus-Max-Size', maxFileSizeBytes);
    response.status(204).end();
  };

const create = (ports: ResumablePorts): RequestHandler =>
  receiving(ports, async (request, response, caller) => {
    assertTusVersion(request.headers);
    const brings = hasBytes(request.headers);
    if (brings) assertBytes(request.headers);
    const upload = await createUpload(request.headers, caller, shareCallerOf(request, caller), ports);
    response.setHeader('Location', `${publicUrlOf(request)}/${formatUploadId(idOf(upload))}`);
    response.setHeader('Upload-Expires', new Date(upload.expiresAt).toUTCString());
    const offset = brings ? await appendFirst(request, upload, ports) : 0;
    if (brings) response.setHeader('Upload-Offset', offset);
    const file = offset === upload.length ? await completed(upload, caller, ports) : undefined;
    respond(request, response, 201, file);
  });

/** Nothing remains of an upload whose creation fails: its client never learns the address. */
async function appendFirst(request: Request, upload: ResumableUpload, ports: ResumablePorts): Promise<number> {
  try {
    return await receiveBytes(request, upload, 0, ports.passed);
  } catch (error) {
    await upload.storage.store.incoming.remove(upload.key);
    await endCounting(upload);
    throw error;
  }
}

const show =
  (ports: ResumablePorts): RequestHandler =>
  async (request, response) => {
    const caller = ports.authorize(request, response, true);
    assertTusVersion(request.headers);
    const upload = await load(request, caller, ports);
    // Its last request may have been interrupted between the last byte and the file.
    if (upload.offset === upload.length) await ports.completion.complete(upload);
    response.setHeader('Upload-Offset', upload.offset);
    response.setHeader('Upload-Length', upload.length);
    response.setHeader('Upload-Expires', new Date(upload.expiresAt).toUTCString());
    if (upload.metadata !== undefined) response.setHeader('Upload-Metadata', upload.metadata);
    response.status(200).end();
  };

const result =
  (ports: ResumablePorts): RequestHandler =>
  async (request, response) => {
    const upload = await load(request, ports.authorize(request, response, true), ports);
    if (upload.offset < upload.length)
      throw new PlatformError('FILE_UPLOAD_OFFSET', `The upload has ${upload.offset} of ${upload.length} bytes`, {
        headers: { 'Upload-Offset': String(upload.offset) },
      });
    sendJson(response, 200, await ports.completion.complete(upload));
  };

const append = (ports: ResumablePorts): RequestHandler =>
  receiving(ports, async (request, response, caller) => {
    const { headers } = request;
    assertTusVersion(headers);
    assertBytes(headers);
    const sentOffset = uploadOffsetOf(headers);
    const upload = await load(request, caller, ports);
    const offset = await receiveBytes(request, upload, sentOffset, ports.passed);
    const file = offset === upload.length ? await completed(upload, caller, ports) : undefined;
    response.setHeader('Upload-Offset', offset);
    response.setHeader('Upload-Expires', new Date(upload.expiresAt).toUTCString());
    respond(request, response, 204, file);
  });

const end =
  (ports: ResumablePorts): RequestHandler =>
  async (request, response) => {
    const caller = ports.authorize(request, response, false);
    assertTusVersion(request.headers);
    const upload = await load(request, caller, ports);
    const { storage, key, result } = upload;
    const { incoming } = storage.store;
    // The result remains until the upload expires: it shows another process that the file has been given to the client.
    await (result === undefined ? incoming.remove(key) : incoming.removeRecord(key, 'upload'));
    await endCounting(upload);
    response.status(204).end();
  };

const override =
  (handlers: ReadonlyMap<string, RequestHandler>): RequestHandler =>
  (request, response, next) => {
    const handler = handlers.get(String(request.headers['x-http-method-override']));
    if (handler === undefined)
      throw new PlatformError('FILE_INVALID_UPLOAD', 'The header X-HTTP-Method-Override must be PATCH or DELETE');
    return handler(request, response, next);
  };

/** A handler of requests with bytes: the pace of the client is watched, and the rest of a refused body discarded. */
const receiving =
  (
    ports: ResumablePorts,
    handle: (request: Request, response: Response, caller: Principal) => Promise<void>,
  ): RequestHandler =>
  async (request, response) => {
    const endGuard = guardUpload(request, ports.pace);
    try {
      await handle(request, response, ports.authorize(request, response, true));
    } catch (error) {
      drainRequest(request);
      throw error;
    } finally {
      endGuard();
    }
  };

const load = (request: Request, caller: Principal, ports: ResumablePorts): Promise<ResumableUpload> =>
  loadUpload(String(request.params['uploadId']), caller, ports.storages, ports.clock.now());

const idOf = ({ storage, key }: ResumableUpload) => ({ storage: storage.name, key });

/** Stores the file of an upload that has just received its last byte. */
async function completed(
  upload: ResumableUpload,
  caller: Principal,
  { storages, clock, completion }: ResumablePorts,
): Promise<FileReferenceObject> {
  return completion.complete(await loadUpload(formatUploadId(idOf(upload)), caller, storages, clock.now()));
}

/** Without a body, as tus requires, unless the client prefers the file that is complete now (RFC 7240). */
function respond(request: Request, response: Response, status: number, file: FileReferenceObject | undefined): void {
  if (file === undefined || preferencesOf(request.headers['prefer']).get('return') !== 'representation') {
    response.status(status).end();
    return;
  }
  response.setHeader('Preference-Applied', 'return=representation');
  sendJson(response, status === 204 ? 200 : status, file);
}
