/** The value with which the policy of the page permits styles that scripts add. */
export const pageNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// What stops the scrolling of the page below a dialog adds a style element, and takes its nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: pageNonce });
