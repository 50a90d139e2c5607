export { createDocuments, DOCUMENTS, type Documents } from './create-documents.ts';
