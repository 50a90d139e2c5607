import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway replaces it in each response with a new value; a static host leaves it, and allows styles by itself. */
const NONCE = 'LINTEL_CONSOLE_NONCE';

/** What decides whether there is a login. Rehearsals are loaded with the first question that needs one. */
const SESSION =
  /preload-helper|libs\/client\/(?!dist\/history\/rehearse)|libs\/react\/dist\/session\/(?:create-login|tab-storage)/;
/** Modules that every page needs, in one file: many small ones are compressed worse, by 7 kB. */
const BASE =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-query|query-core))\/|console\/src\/(?:errors\/(?:error-|notify)|language\/|model\/|shell\/(?:waiting|area-)|theme\/page-nonce|requests\/use-explorer|areas\/(?:data\/(?:readable-entities|instance-path)|files\/file-attributes|people\/(?:people-pages|see-as\/see-as-context)|running\/running-pages))|libs\/react\/dist\/(?:session|model|errors)\/|icons\/Icon(?:PlayerPlay|Language|Search|Api|User)\./;
/** The page of a list; forms need some of it. */
const LIST =
  /console\/src\/(?:table\/plain-table|extension\/(?:use-extension|extension-query|local-text)|requests\/(?:copy-request\.|entity-requests|described-request)|reason\/ask-reason|errors\/report-no-feed|areas\/data\/(?:concrete-entities|ui-hints|paths\/(?:plan-of|resolve-dynamic)|list\/(?:list-page|instance-list|list-table|list-toolbar|list\.module|columns\.ts|row\.ts|use-selection)))|icons\/Icon(?:ArrowUp|ArrowDown|ChevronLeft|ChevronRight|Download)\./;
/** The first page of the data, with what it loads when it is shown. */
const HOME =
  /console\/src\/(?:controls\/search-words|errors\/(?:use-show-error|describe-error)|areas\/data\/(?:entities-page|entity-navigation|data\.module|matches-words|recent\/|values\/(?:format-value|value-kind)|list\/(?:list-memory|list-state|questions\/saved-questions|views\/views-api)))|@mantine\/core\/esm\/components\/SimpleGrid\//;

/** Of the router, most parts of which are on every page. */
const ROUTER = /node_modules\/@tanstack\/(?:react-router|router-core|react-store|store|history)\//;

/** Small modules of the kit that every page needs. */
const KIT =
  /@mantine\/hooks\/esm\/use-(?:debounced|disclosure|hotkeys|merged-ref|uncontrolled|window-event)|@mantine\/core\/esm\/(?:core|components\/(?:ActionIcon|Anchor|Input|InputBase|NavLink|Stack|TextInput|Title|VisuallyHidden))\/|icons-react\/dist\/esm\/(?:createReactComponent|defaultAttributes)/;

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
      output: {
        codeSplitting: {
          groups: [
            { name: 'session', test: SESSION },
            { name: 'base', test: BASE },
            { name: 'home', test: HOME },
            { name: 'list', test: LIST },
            { name: 'router', test: ROUTER },
            { name: 'kit', test: KIT },
          ],
        },
      },
    },
    license: { fileName: 'licenses.md' },
  },
});
