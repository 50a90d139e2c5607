import { fileRoutes, knownParameters, lastingKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  bearerToken,
  checkParameters,
  createRouter,
  DESCRIPTION_INVALID,
  principalOf,
  publicUrlOf,
  sendJson,
  toMiddleware,
  type UnknownMembers,
} from '@lintel/http';
import { type Access, assertSpecific } from '@lintel/security';
import type { RequestHandler, Response, Router } from 'express';
import { type FileAccess, isOfReader, uploaderOf } from './access/file-access.ts';
import { type SendPorts, sendDownload } from './downloads/send-download.ts';
import { createResumableRouter, type ResumablePorts } from './resumable/resumable.routes.ts';
import type { BlobInfo } from './storage/blob-store.ts';
import { receiveQuery } from './transfers/receive-query.ts';
import type { TransferLimits } from './transfers/transfer-limits.ts';
import { receiveUpload, type UploadRules } from './uploads/receive-upload.ts';
import type { FileOrigin } from './uploads/upload-file.ts';

export interface TransferPorts extends UploadRules, SendPorts, Omit<ResumablePorts, 'authorize'> {
  readonly accessOf: (principal: Principal) => Access;
  readonly isAnonymousUrl: (path: string) => boolean;
  readonly limits: TransferLimits;
  /** Undefined where the reference is sufficient. */
  readonly fileAccess: Pick<FileAccess, 'mayRead'> | undefined;
  readonly unknownMembers: UnknownMembers;
}

/** `POST` and `GET /files`, and `/files/uploads` below it (contract/files.md#files). */
export function createTransfersRouter(ports: TransferPorts): Router {
  const router = createRouter();
  router.use(requireRestAccess(ports));
  router.use(toMiddleware(checkParameters(knownParameters(fileRoutes('')), ports.unknownMembers)));
  router.post('/', upload(ports));
  router.get('/', download(ports));
  router.use('/uploads', createResumableRouter({ ...ports, authorize: authorizeUpload(ports) }));
  return router;
}

function callerOf(response: Response): Principal {
  const principal = principalOf(response);
  if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
  return principal;
}

const callerAccess = (response: Response, ports: TransferPorts): Access => ports.accessOf(callerOf(response));

/**
 * Runs before all other checks, except on anonymous URLs (contract/decisions.md#39). A token that opens one file is
 * for its download alone.
 */
const requireRestAccess =
  (ports: TransferPorts): RequestHandler =>
  (request, response, next) => {
    const isDownload = request.path === '/' && ['GET', 'HEAD'].includes(request.method);
    if (callerOf(response).grantedFile !== undefined && !isDownload)
      throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
    const access = callerAccess(response, ports);
    if (!access.hasSpecific('rest.enabled') && !ports.isAnonymousUrl(request.originalUrl))
      assertSpecific(access, 'rest.enabled', 'ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
    next();
  };

const authorizeUpload =
  (ports: TransferPorts): ResumablePorts['authorize'] =>
  (request, response, isTransfer) => {
    const caller = callerOf(response);
    const access = ports.accessOf(caller);
    assertSpecific(access, 'rest.fileUpload.enabled', 'FILE_UPLOAD_DENIED', 'File upload is not permitted');
    if (isTransfer) ports.limits.begin('upload', request, response, caller);
    return caller;
  };

const upload =
  (ports: TransferPorts): RequestHandler =>
  async (request, response) => {
    const authorize = (): FileOrigin => ({
      storedBy: undefined,
      uploadedBy: uploaderOf(authorizeUpload(ports)(request, response, true)),
    });
    const { fileRef, name, size } = await receiveUpload(request, receiveQuery(request), authorize, ports);
    response.setHeader('Location', `${publicUrlOf(request)}?${new URLSearchParams({ fileRef })}`);
    sendJson(response, 201, { fileRef, name, size });
  };

/** `GET`, and `HEAD`, which Express sends here too. */
const download =
  (ports: TransferPorts): RequestHandler =>
  async (request, response) => {
    const access = callerAccess(response, ports);
    assertSpecific(access, 'rest.fileDownload.enabled', 'FILE_DOWNLOAD_DENIED', 'File download is not permitted');
    const principal = callerOf(response);
    ports.limits.begin('download', request, response, principal);
    const reader = { principal, token: bearerToken(request.headers.authorization) ?? '' };
    const { clock, fileAccess } = ports;
    const { grantedFile } = principal;
    const ofReader = fileAccess && {
      mayRead: (key: string) => fileAccess.mayRead(key, reader),
      isOwn: (blob: BlobInfo) => isOfReader(lastingKeyOf(principal), blob, clock.now()),
    };
    const ofGrant = { mayRead: async (key: string) => key === grantedFile, isOwn: () => false };
    const rights = grantedFile === undefined ? ofReader : ofGrant;
    await sendDownload(request, receiveQuery(request), response, ports, rights);
  };
