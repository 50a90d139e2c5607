import { type FileAccessResponse, fileAccessRequestSchema } from '@lintel/contracts';
import { contextOf, sendJson } from '@lintel/http';
import { type FileSearchDependencies, refersToFile } from '@lintel/reading';
import type { Router } from 'express';
import type { FeatureFactory } from '../feature.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { fileSearch } from './file-search.ts';

/** The right to read files by what refers to them. */
export const fileAccessFeature: FeatureFactory = ({ ports, read }) => ({
  register: ({ forwarded }) => registerRoutes(forwarded, fileSearch(ports, read)),
});

/** A key is as long as a URL can be. */
const MAX_BODY_BYTES = 64 * 1024;

/** Whether a caller may read something that refers to a file: for the files service (contract/files.md#access). */
function registerRoutes(router: Router, deps: FileSearchDependencies): void {
  router.post('/file-access', async (request, response) => {
    const { key } = await receiveChecked(request, fileAccessRequestSchema, MAX_BODY_BYTES);
    const { principal, signal } = contextOf(request, response);
    const result: FileAccessResponse = { isReadable: await refersToFile(key, principal, deps, signal) };
    sendJson(response, 200, result);
  });
}
