import { setImmediate } from 'node:timers/promises';
import { createMemo, declareCache, type Memo } from '@lintel/cache';
import { type Principal, REPORTS_PATH } from '@lintel/contracts';
import type { DocumentRequest, DocumentTexts } from '@lintel/http';
import type { Messages, Model } from '@lintel/metadata';
import { createDocuments, type DocumentCaller, type DocumentOptions, type Documents } from '@lintel/openapi';
import { Semaphore } from '@lintel/timing';
import type { PathTests } from '../access/path-tests.ts';

const CALLER_DOCUMENTS = declareCache({
  name: 'caller-documents',
  holds: 'the OpenAPI documents that are limited to the rights of a caller, as JSON, and as YAML if a client wanted it',
  where: ['data'],
  keyedBy:
    'versions of the model and the messages, locale, fingerprint of the caller’s access, document, version of OpenAPI',
  maxEntries: 1_000,
  maxSize: { max: 32_000_000, unit: 'characters' },
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
});

/** Larger documents are created for each request. */
const LARGEST = 8_000_000;

export interface CallerDocumentsOptions {
  readonly documents: DocumentOptions;
  readonly currentModel: () => Promise<Model>;
  readonly currentMessages: () => Messages;
  readonly accessOf: (principal: Principal) => Pick<DocumentCaller, 'access' | 'read' | 'jobs'>;
  readonly pathTests: Pick<PathTests, 'isAnonymous' | 'isOpenToEveryUser'>;
}

/** The documents that are limited to the rights of one caller. */
export interface CallerDocuments {
  readonly find: (
    name: keyof Documents,
    principal: Principal,
    locale: string,
    wanted: DocumentRequest,
  ) => Promise<DocumentTexts>;
  readonly cache: Memo<string, DocumentTexts>;
}

/** Creates a document once for a set of rights (contract/api-documents.md#for-me). */
export function createCallerDocuments(options: CallerDocumentsOptions): CallerDocuments {
  // YAML is about as long as JSON.
  const size = { of: (texts: DocumentTexts) => 2 * texts.json().text.length, largest: LARGEST };
  const cache = createMemo<string, DocumentTexts>(CALLER_DOCUMENTS, size);
  const creation = new Semaphore(1);
  return {
    cache,
    async find(name, principal, locale, { openapi }) {
      const model = await options.currentModel();
      const messages = options.currentMessages();
      const { access, read, jobs } = options.accessOf(principal);
      const isAnonymous = principal.kind === 'anonymous';
      const key = [model.version, messages.version, locale, read.fingerprint, isAnonymous, name, openapi].join(' ');
      const known = cache.find(key);
      if (known !== undefined) return known;
      const caller: DocumentCaller = {
        access,
        read,
        jobs,
        mayUse: (path) => mayUse(path, isAnonymous, access, options),
      };
      return creation.run(async () => {
        // A document takes a tenth of a second: other requests are served between two of them.
        await setImmediate();
        const created = cache.find(key);
        if (created !== undefined) return created;
        const versions = createDocuments({ ...options.documents, caller }, model, messages, locale)[name];
        versions['3.1'].json();
        await setImmediate();
        return cache.get(key, () => versions[openapi]);
      });
    },
  };
}

/** The checks before those of a route (contract/roles.md#rest-enabled, contract/tokens.md#url-patterns). */
function mayUse(
  path: string,
  isAnonymous: boolean,
  { hasSpecific }: DocumentCaller['access'],
  { pathTests, documents }: Pick<CallerDocumentsOptions, 'pathTests' | 'documents'>,
): boolean {
  if (pathTests.isAnonymous(path)) return true;
  if (isAnonymous) return false;
  if (path.startsWith(`${REPORTS_PATH}/`)) return hasSpecific('reports.rest.enabled');
  // What is outside of the API, such as `/oauth2/userinfo`, needs a token alone.
  const isOutside = !path.startsWith(`${documents.paths.basePath}/`);
  return isOutside || hasSpecific('rest.enabled') || pathTests.isOpenToEveryUser(path);
}
