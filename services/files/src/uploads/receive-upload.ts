import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { drainRequest, singleValue } from '@lintel/http';
import { guardUpload, type TransferPace } from '../guard-against-stall.ts';
import { storedContentType } from '../references/served-content-type.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';
import type { TransferMetrics } from '../transfers/measure-transfers.ts';
import { chosenStorage } from './chosen-storage.ts';
import { expectedDigests } from './expected-digests.ts';
import type { IncomingContentOptions } from './incoming-content.ts';
import { receiveMultipart } from './receive-multipart.ts';
import { receiveRaw } from './receive-raw.ts';
import {
  assertFileName,
  type FileOrigin,
  type FileReferenceObject,
  type UploadPorts,
  uploadFile,
} from './upload-file.ts';

export interface UploadRules extends UploadPorts {
  readonly storages: FileStorages;
  /** Maximum size of a file, independent of its storage. */
  readonly maxFileSizeBytes: number;
  /** Called for each chunk. */
  readonly passed: (bytes: number) => void;
  readonly pace: TransferPace;
  readonly measured: Pick<TransferMetrics, 'stored'>;
  /** Whether a `multipart/form-data` body has the file in a part; else all bodies are the file itself. */
  readonly acceptsForms: boolean;
}

/**
 * Stores the file of a request: its body, or the part `file` of a form.
 *
 * @param authorize throws where the caller may not upload; returns the origin of the file
 */
export async function receiveUpload(
  request: IncomingMessage,
  query: URLSearchParams,
  authorize: () => FileOrigin,
  rules: UploadRules,
): Promise<FileReferenceObject> {
  const endGuard = guardUpload(request, rules.pace);
  try {
    const file = await receive(request, query, authorize(), rules);
    rules.measured.stored(file.size);
    return file;
  } catch (error) {
    drainRequest(request);
    throw error;
  } finally {
    endGuard();
  }
}

async function receive(
  request: IncomingMessage,
  query: URLSearchParams,
  origin: FileOrigin,
  rules: UploadRules,
): Promise<FileReferenceObject> {
  const storage = chosenStorage(singleValue(query, 'storageName') ?? null, rules.storages);
  const limitBytes = Math.min(storage.maxFileSizeBytes, rules.maxFileSizeBytes);
  const name = singleValue(query, 'name') ?? '';
  assertFileName(name);
  const incoming = { limitBytes, passed: rules.passed, approve: digestCheck(request) };
  if (rules.acceptsForms && isForm(request))
    return receiveMultipart(
      request,
      incoming,
      (partName) => assertFileName(name === '' ? partName : name),
      (part) => uploadFile({ ...part, storage, origin, name: name === '' ? part.name : name }, rules),
    );
  if (name.trim() === '')
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'The query parameter "name" is required when the body is the file itself',
    );
  const contentType = storedContentType(request.headers['content-type']);
  const content = receiveRaw(request, incoming);
  return uploadFile({ storage, name, contentType, content, origin }, rules);
}

/** Compares the body with the digests of the request; without any, the body is not hashed a second time. */
function digestCheck(request: IncomingMessage): IncomingContentOptions['approve'] {
  const expected = expectedDigests(request.headers);
  if (expected.length === 0) return async () => {};
  request.on('data', (chunk: Buffer) => {
    for (const { hash } of expected) hash.update(chunk);
  });
  return async () => {
    // A form may end before the body; the digest is that of the body.
    if (!request.readableEnded) {
      request.resume();
      await once(request, 'end');
    }
    for (const { header, hash, digest } of expected)
      if (!hash.digest().equals(digest))
        throw new PlatformError('FILE_INVALID_UPLOAD', `The body does not have the digest of the header ${header}`);
  };
}

const isForm = (request: IncomingMessage): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');
