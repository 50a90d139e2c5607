import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLED } from './publication.mjs';

/** Packages that are no ES modules load modules of Node with `require`. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** The package of an import: `echarts/core` is of `echarts`. */
const packageOf = (specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/**
 * Puts the dependencies of `BUNDLED`, with what they depend on, into files of the platform: modules that import them
 * are written again, the code is in `vendor`. All other imports stay.
 *
 * @param {object} platform
 * @param {string} platform.folder of the platform
 * @param {readonly string[]} platform.modules that import one of them, relative to the folder
 * @param {(module: string) => string} platform.sourceFolderOf the folder where the imports of a module are resolved
 * @param {Readonly<Record<string, string>>} platform.kept versions of the dependencies of the platform; bundled
 *   packages that need the same version import it from outside
 * @returns {Promise<readonly string[]>} the folders of the packages that are part of the files
 */
export async function bundleDependencies({ folder, modules, sourceFolderOf, kept }) {
  const result = await build({
    entryPoints: modules.map((module) => ({ in: join(folder, module), out: module.replace(/\.js$/, '') })),
    outdir: folder,
    allowOverwrite: true,
    chunkNames: 'vendor/[name]-[hash]',
    bundle: true,
    splitting: true,
    plugins: [onlyBundled(folder, sourceFolderOf, kept)],
    banner: { js: REQUIRE },
    format: 'esm',
    platform: 'node',
    target: 'node24.9',
    // Of each package the build that Node would choose, not the one that is meant for bundlers.
    conditions: [],
    mainFields: ['main'],
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  });
  const files = Object.values(result.metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return [...new Set(files.map(([file]) => packageFolder(file)).filter((each) => each !== undefined))].sort();
}

/** The folder of the package to which an input of esbuild belongs. */
function packageFolder(file) {
  const match = /^(?:[a-z-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.split(sep).join('/'));
  return match?.[1];
}

/** The version of the package to which a file belongs. */
function versionAt(file) {
  const folder = packageFolder(file);
  return folder === undefined ? undefined : JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

/** Modules that are imported with `import()`. */
const ON_DEMAND = 'on-demand';

/** A module that is no ES module gets the names that Node finds in it; esbuild would export the default only. */
function namedExports(path, names) {
  const file = JSON.stringify(path);
  if (!names.includes('module.exports')) return `export * from ${file};`;
  const named = names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default');
  return `import all from ${file};\nexport const { ${named.join(', ')} } = all;\nexport default all;\n`;
}

const onlyBundled = (folder, sourceFolderOf, kept) => ({
  name: 'only-bundled',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^/ }, async ({ path, importer, kind, namespace, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'seen') return undefined;
      if (namespace === ON_DEMAND) return { path };
      const isOurs = importer.startsWith(folder + sep) && !importer.includes(`${sep}node_modules${sep}`);
      if (!isOurs) {
        const version = kept[packageOf(path)];
        if (version === undefined) return undefined;
        const found = await resolve(path, { kind, resolveDir, pluginData: 'seen' });
        return versionAt(found.path) === version ? { path, external: true } : found;
      }
      if (!BUNDLED.includes(packageOf(path))) return { path, external: true };
      const from = sourceFolderOf(relative(folder, importer)) ?? dirname(resolveDir);
      const found = await resolve(path, { kind, resolveDir: from, pluginData: 'seen' });
      const isOnDemand = kind === 'dynamic-import' && found.errors.length === 0;
      return isOnDemand ? { path: found.path, namespace: ON_DEMAND } : found;
    });
    onLoad({ filter: /^/, namespace: ON_DEMAND }, async ({ path }) => ({
      contents: namedExports(path, Object.keys(await import(pathToFileURL(path).href))),
      resolveDir: dirname(path),
    }));
  },
});
