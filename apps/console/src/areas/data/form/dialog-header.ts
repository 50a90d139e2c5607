// What stops the scrolling of the page below a dialog adds a style element, and takes its nonce from this name.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '',
});

/** For `attributes` of a dialog: its header is no banner of the page. */
export const DIALOG_HEADER = { header: { role: 'none' } };
