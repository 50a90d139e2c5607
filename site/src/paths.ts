import { fileURLToPath } from 'node:url';

/** Folder of the repository, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SITE = fileURLToPath(new URL('../', import.meta.url));
/** What VitePress reads: copies of the pages, and generated ones. */
export const CONTENT = fileURLToPath(new URL('../.content/', import.meta.url));
