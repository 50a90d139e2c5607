import { pageNonce } from '../../../theme/page-nonce.ts';

// What stops the scrolling of the page below a dialog adds a style element, and takes its nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: pageNonce });

/** The header of a dialog is no banner of the page. */
export const HEADER = { header: { role: 'none' } };
