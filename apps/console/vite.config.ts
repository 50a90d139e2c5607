import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway replaces it in each response with a new value; a static host leaves it, and allows styles by itself. */
const NONCE = 'LINTEL_CONSOLE_NONCE';

export default defineConfig({
  // Relative to the page, whose `base` element says where it is.
  base: './',
  html: { cspNonce: NONCE },
  plugins: [react()],
  build: {
    outDir: 'dist/bundle',
    target: 'es2022',
    // No file may become a part of another one: the policy of the page allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    license: { fileName: 'licenses.md' },
  },
});
