import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/** Stay where npm put them. */
export const LEFT_ALONE = [
  // It knows where it is: its files are in its folder.
  '@lintel/console',
  // Native code, and a program that reads its own files.
  '@node-rs/*',
  'pg-native',
  // Imported late, and only where it is needed: a late import has names of ES modules only, unless Node reads the package.
  '@node-saml/node-saml',
  'playwright-core',
  // They change modules of Node for all who load them. Only where traces are sent.
  '@opentelemetry/sdk-node',
  '@opentelemetry/instrumentation',
  '@opentelemetry/instrumentation-*',
  // Only where metrics are sent.
  '@opentelemetry/exporter-metrics-otlp-*',
];
/** Packages that are no ES modules ask for modules of Node by `require`. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * An ES module that imports `node:http` makes Node look at all of its exports, one of which loads a whole client for
 * HTTP: a tenth of a start. What is required is not looked at.
 */
const HTTP_IS_REQUIRED = {
  name: 'http-is-required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'required' }, () => ({ contents: "module.exports = require('node:http');" }));
  },
};

const OUR_CODE = /[\\/](libs|services)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/;

/**
 * What our code imports late must be an ES module: of another package, a bundle gives no named exports to
 * `const { Agent } = await import('undici')`.
 */
export const LATE_HAS_NAMES = {
  name: 'late-has-names',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[a-z@]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === LATE_HAS_NAMES || !OUR_CODE.test(importer)) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: LATE_HAS_NAMES });
      if (found.errors.length > 0 || found.external || isEsModule(found.path)) return found;
      return { errors: [{ text: `${path} is no ES module: ${importer} must import it by a module of its own` }] };
    });
  },
};

/**
 * Leaves out what no request needs, or few: a process loads and keeps all that is bundled with what it imports. What is
 * left out of undici and iconv-lite is loaded when it is used.
 */
const ONLY_WHAT_IS_USED = {
  name: 'only-what-is-used',
  setup({ onLoad, onResolve, resolve }) {
    // Messages of zod in fifty languages: those that a caller sees are ours.
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // Tables of character sets, half a megabyte; a body says whether it needs them.
    onResolve({ filter: /^\.\.\/encodings$/ }, ({ importer }) =>
      /[\\/]iconv-lite[\\/]lib[\\/]/.test(importer) ? { path: 'iconv-lite/encodings', external: true } : undefined,
    );
    // The names of lists in an error: the first use of Intl loads its data, twenty milliseconds of a start of auth.
    onLoad({ filter: /[\\/]oidc-provider[\\/]lib[\\/]helpers[\\/]formatters\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        /= (new Intl\.ListFormat\([^)]*\));/g,
        '= { format: (list) => $1.format(list) };',
      ),
    }));
    // The main module of undici loads fetch, web sockets, caches and mocks.
    onResolve({ filter: /^undici$/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === ONLY_WHAT_IS_USED) return undefined;
      if (!/[\\/]http-client[\\/]dist[\\/]kept-connections\.js$/.test(importer)) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: ONLY_WHAT_IS_USED });
      return found.errors.length > 0 ? found : { path: dirname(found.path), namespace: 'client-of-undici' };
    });
    // HTTP/2, with Node's modules for it: no service speaks it to another one.
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        "const connectH2 = require('./client-h2.js')",
        "const connectH2 = (...parameters) => require('./client-h2.js')(...parameters)",
      ),
    }));
    // Limits in a dozen other stores.
    onLoad({ filter: /[\\/]rate-limiter-flexible[\\/]index\.js$/ }, () => ({
      contents:
        "exports.RateLimiterRedis = require('./lib/RateLimiterRedis.js'); exports.RateLimiterRes = require('./lib/RateLimiterRes.js');",
    }));
    onLoad({ filter: /^/, namespace: 'client-of-undici' }, ({ path }) => ({
      contents: "import Client from './lib/dispatcher/client.js'; export { Client };",
      resolveDir: path,
    }));
  },
};

/** What logins at PostgreSQL compute, with the functions of `node:crypto`. */
const HASHES_OF_NODE = `'use strict';
const { createHash, createHmac, pbkdf2, randomBytes } = require('node:crypto');
const hash = (name, data) => createHash(name).update(data).digest();
const md5 = async (text) => createHash('md5').update(text, 'utf-8').digest('hex');
module.exports = {
  randomBytes,
  md5,
  async postgresMd5PasswordHash(user, password, salt) {
    return 'md5' + (await md5(Buffer.concat([Buffer.from(await md5(password + user)), salt])));
  },
  sha256: async (data) => hash('SHA-256', data),
  hashByName: async (name, data) => hash(name, data),
  hmacSha256: async (key, text) => createHmac('SHA-256', key).update(text, 'utf-8').digest(),
  deriveKey: (password, salt, iterations) =>
    new Promise((resolve, reject) => {
      pbkdf2(password, salt, iterations, 32, 'SHA-256', (error, key) => (error ? reject(error) : resolve(key)));
    }),
};
`;

/**
 * pg computes each hash of a login with the Web Crypto API, as a job of a thread: Node loads its implementation first,
 * and each login waits for eight jobs. Here only the derivation of the key, which takes time, is one.
 */
const LOGINS_USE_HASHES_OF_NODE = {
  name: 'logins-use-hashes-of-node',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pg[\\/]lib[\\/]crypto[\\/]utils\.js$/ }, () => ({ contents: HASHES_OF_NODE }));
  },
};

/** The functions and tables of mime-types. */
const WHEN_ASKED = `'use strict';
let module;
const load = () => (module ??= require('./index.js'));
for (const name of ['charset', 'contentType', 'extension', 'lookup']) exports[name] = (type) => load()[name](type);
exports.charsets = { lookup: exports.charset };
for (const name of ['extensions', 'types'])
  Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
`;

/**
 * Express loads the table of 2,500 media types, and sorts it by extensions, when it is imported. Here that is done when
 * a type is looked up for the first time.
 */
const TABLES_ARE_READ_LATE = {
  name: 'tables-are-read-late',
  setup({ onLoad, onResolve }) {
    const module = /[\\/]mime-types[\\/]index\.js$/;
    onResolve({ filter: /^\.\/index\.js$/ }, ({ importer }) =>
      module.test(importer) ? { path: importer, suffix: '?whole' } : undefined,
    );
    onLoad({ filter: module }, ({ suffix }) => (suffix === '?whole' ? undefined : { contents: WHEN_ASKED }));
  },
};

function isEsModule(file) {
  if (/\.[cm]js$/.test(file)) return file.endsWith('.mjs');
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
  }
  return false;
}

/** A module that reads a file of its own package: another module, elsewhere, has its code. */
const OWN_JSON = /createRequire\(import\.meta\.url\)\('(\.{1,2}\/[^']+\.json)'\)/g;
const OWN_PATH = /new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g;
/** Stands before an absolute path until it is known which module has the code. */
const OWN = 'path-of-lintel:';

const OWN_FILES_ARE_FOUND = {
  name: 'own-files-are-found',
  setup({ onLoad }) {
    onLoad({ filter: OUR_CODE }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const content = (file) => JSON.stringify(JSON.parse(readFileSync(join(dirname(path), file), 'utf8')));
      const contents = text
        .replace(OWN_JSON, (_, file) => `(${content(file)})`)
        .replace(OWN_PATH, (_, file) => `new URL('${OWN}${join(dirname(path), file)}', import.meta.url)`);
      return contents === text ? undefined : { contents, loader: 'js' };
    });
  },
};

/**
 * Puts the modules that a service loads together, so that Node opens some forty files when it starts and not a
 * thousand. What our packages export stays where it was, with the same identity for the service and for an
 * application; what it loads is in `chunks`.
 *
 * @param {string} folder filled by `collectRuntime`
 * @param {string} service
 * @param {{ programs?: readonly string[], external?: readonly string[] }} [more] `programs` are files that are started
 *   instead of the service, relative to the folder; packages in `external` stay where they are
 * @throws {Error} naming the module that cannot be found
 */
export async function bundleModules(folder, service, { programs = [], external = [] } = {}) {
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      [...entriesOf(folder, service), ...programs].map((file) => [file.replace(/\.js$/, ''), join(folder, file)]),
    ),
    outdir: folder,
    absWorkingDir: folder,
    allowOverwrite: true,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: [...LEFT_ALONE, ...external],
    plugins: [
      HTTP_IS_REQUIRED,
      ONLY_WHAT_IS_USED,
      TABLES_ARE_READ_LATE,
      LOGINS_USE_HASHES_OF_NODE,
      LATE_HAS_NAMES,
      OWN_FILES_ARE_FOUND,
    ],
    banner: { js: REQUIRE },
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    // Of each package the build that Node would choose, not the one that is meant for bundlers.
    conditions: [],
    mainFields: ['main'],
    // A process keeps the text of each loaded file. Names stay, also those of classes in
    // expressions, which `minifySyntax` removes: errors and traces show them.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'none',
    // For `--enable-source-maps`, without which Node does not read them.
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'silent',
  });
  for (const output of Object.keys(metafile.outputs)) if (output.endsWith('.js')) finish(join(folder, output));
}

/**
 * Paths of own files begin at the module. One character above U+00FF makes V8 keep a text with two bytes for each
 * character: esbuild escapes them in strings, and what is left is in regular expressions.
 */
function finish(file) {
  const text = readFileSync(file, 'utf8');
  const finished = text
    .replaceAll(new RegExp(`"${OWN}([^"]+)"`, 'g'), (_, path) => JSON.stringify(relativeUrl(dirname(file), path)))
    .replace(/[\u0100-\uffff]/g, (wide) => `\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (finished !== text) writeFileSync(file, finished);
}

const relativeUrl = (from, path) => `${relative(from, path)}${path.endsWith('/') ? '/' : ''}`;

/** What is imported by name: the start of the service, and what our libraries export. */
function entriesOf(folder, service) {
  const libraries = readdirSync(join(folder, 'libs')).flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(folder, 'libs', name, 'package.json'), 'utf8'));
    // An export without a build is one of tests.
    return Object.values(exports).flatMap(({ default: built }) =>
      built === undefined ? [] : join('libs', name, built),
    );
  });
  return [...libraries, join('services', service, 'dist', 'main.js')].filter((file) => existsSync(join(folder, file)));
}
