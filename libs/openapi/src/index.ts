export { type AsyncDocument, createAsyncDocument } from './asyncapi/create-async-document.ts';
export type { DocumentCaller } from './caller/caller.ts';
export { callerQueries } from './caller/caller-queries.ts';
export { createDocuments, DOCUMENTS, type DocumentOptions, type Documents } from './create-documents.ts';
