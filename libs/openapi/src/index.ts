export type { DocumentCaller } from './caller/caller.ts';
export { callerQueries } from './caller/caller-queries.ts';
export { createDocuments, DOCUMENTS, type DocumentOptions, type Documents } from './create-documents.ts';
