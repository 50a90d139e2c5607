import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway replaces it in each response with a new value; a static host leaves it, and allows styles by itself. */
const NONCE = 'LINTEL_CONSOLE_NONCE';

/** A file with the modules that match, and with what they import, unless an earlier one has it. */
const GROUPS = [
  // What decides whether there is a login. Rehearsals are loaded with the first question that needs one.
  {
    name: 'session',
    test: /preload-helper|console\/src\/settings|console\/src\/start\.ts|libs\/client\/(?!dist\/history\/rehearse)|libs\/react\/dist\/session\/(?:create-login|tab-storage)/,
    includeDependenciesRecursively: false,
  },
  // The frame, the first page and lists: many small files are compressed worse, and each of them is a request.
  {
    name: 'main',
    test: /console\/src\/(?:main\.tsx|shell\/notifications\.module\.css)/,
  },
  // On every page, but after what the page shows: what opens below it is large.
  { name: 'bell', test: /console\/src\/shell\/notifications-button\.tsx/ },
  { name: 'form', test: /console\/src\/areas\/data\/form\/form-page\.tsx/ },
];

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
    modulePreload: {
      polyfill: false,
      // Lists of the scripts that each import needs would be 3 kB of the first load; styles must be there before.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'html' ? dependencies : dependencies.filter((file) => file.endsWith('.css')),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          groups: GROUPS.map((group, at) => ({ ...group, priority: GROUPS.length - at })),
        },
      },
    },
    license: { fileName: 'licenses.md' },
  },
});
