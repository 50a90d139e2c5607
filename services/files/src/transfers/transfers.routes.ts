import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createRouter, discardRest, principalOf, sendJson } from '@lintel/http';
import type { Access } from '@lintel/security';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { FileStorage } from '../storage/file-storages.ts';
import { OCTET_STREAM } from './content-types.ts';
import { type DownloadPorts, downloadFile } from './download-file.ts';
import { externalUrl } from './external-url.ts';
import { guardAgainstStall } from './guard-against-stall.ts';
import { receiveMultipart } from './receive-multipart.ts';
import { receiveRaw } from './receive-raw.ts';
import { assertFileName, type UploadedFile, type UploadPorts, uploadFile } from './upload-file.ts';

export interface TransferPorts extends UploadPorts, DownloadPorts {
  readonly accessOf: (principal: Principal) => Access;
  readonly isAnonymousUrl: (path: string) => boolean;
}

/** What is received and dropped of a refused upload, so that its sender gets to see the answer. */
const REFUSED_BYTES = 64 * 1024 * 1024;

/** `POST` and `GET /files` (specification 4.8). */
export function createTransfersRouter(ports: TransferPorts): Router {
  const router = createRouter();
  router.use(requireRestAccess(ports));
  router.post('/', upload(ports));
  router.get('/', download(ports));
  return router;
}

function callerAccess(response: Response, ports: TransferPorts): Access {
  const principal = principalOf(response);
  if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
  return ports.accessOf(principal);
}

/** Before any other check, except on anonymous URLs (decisions.md 39). */
const requireRestAccess =
  (ports: TransferPorts): RequestHandler =>
  (request, response, next) => {
    const access = callerAccess(response, ports);
    if (!access.hasSpecific('rest.enabled') && !ports.isAnonymousUrl(request.originalUrl))
      throw new PlatformError('ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
    next();
  };

const upload =
  (ports: TransferPorts): RequestHandler =>
  async (request, response) => {
    guardAgainstStall(request);
    let uploaded: UploadedFile;
    try {
      if (!callerAccess(response, ports).hasSpecific('rest.fileUpload.enabled'))
        throw new PlatformError('FILE_UPLOAD_DENIED', 'File upload is not permitted');
      uploaded = await receive(request, ports);
    } catch (error) {
      discardRest(request, REFUSED_BYTES);
      throw error;
    }
    const { fileRef, name, size } = uploaded;
    const [path = ''] = request.originalUrl.split('?', 1);
    response.setHeader('Location', `${externalUrl(request.headers, path)}?${new URLSearchParams({ fileRef })}`);
    sendJson(response, 201, { fileRef, name, size });
  };

async function receive(request: Request, ports: TransferPorts): Promise<UploadedFile> {
  const query = queryOf(request);
  const storage = chosenStorage(query.get('storageName'), ports);
  const name = query.get('name') ?? '';
  assertFileName(name);
  if (isMultipart(request))
    return receiveMultipart(request, storage.maxFileSizeBytes, (part) =>
      uploadFile({ ...part, storage, name: name === '' ? part.name : name }, ports),
    );
  if (name.trim() === '')
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'The query parameter "name" is required when the body is the file itself',
    );
  const contentType = request.headers['content-type'] ?? OCTET_STREAM;
  const content = receiveRaw(request, storage.maxFileSizeBytes);
  return uploadFile({ storage, name, contentType, content }, ports);
}

function chosenStorage(name: string | null, ports: TransferPorts): FileStorage {
  if (name === null || name === '') return ports.storages.default;
  const storage = ports.storages.find(name);
  if (storage === undefined)
    throw new PlatformError('FILE_INVALID_UPLOAD', `Cannot find FileStorage with name: '${name}'`);
  return storage;
}

/** `GET`, and `HEAD`, which Express sends here too. */
const download =
  (ports: TransferPorts): RequestHandler =>
  async (request, response) => {
    if (!callerAccess(response, ports).hasSpecific('rest.fileDownload.enabled'))
      throw new PlatformError('FILE_DOWNLOAD_DENIED', 'File download is not permitted');
    const query = queryOf(request);
    const { headers } = request;
    const answer = await downloadFile(
      {
        fileRef: query.get('fileRef') ?? undefined,
        attachment: query.get('attachment') ?? undefined,
        range: headers.range,
        conditions: {
          ifNoneMatch: headers['if-none-match'],
          ifModifiedSince: headers['if-modified-since'],
          ifRange: oneHeader(headers['if-range']),
        },
      },
      ports,
    );
    const content = request.method === 'HEAD' ? undefined : await answer.open?.();
    response.statusCode = answer.status;
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    if (content === undefined) {
      response.end();
      return;
    }
    // A storage that fails now destroys the response: a cut file never looks complete.
    await pipeline(content, response).catch((error: unknown) => {
      if (!hasLeft(response, error)) throw error;
    });
  };

/** Whether it was the client who ended the transfer. */
const hasLeft = (response: Response, error: unknown): boolean =>
  response.destroyed &&
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** The query read as a form, so that `?` and `/` of an unencoded reference stay part of the value. */
const queryOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams(request.url?.slice(request.url.indexOf('?') + 1 || request.url.length) ?? '');

const isMultipart = (request: IncomingMessage): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');

const oneHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
