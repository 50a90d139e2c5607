import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { copyReadme } from '../release/repository.mjs';
import { bundleDependencies } from './bundle-dependencies.mjs';
import { keepReachableTypes } from './keep-reachable-types.mjs';
import { manifestOf } from './manifest.mjs';
import { BUNDLED, FACADES, folderOf, OPTIONAL, PLATFORM } from './publication.mjs';
import { exportedFiles, rewriteImports } from './rewrite-imports.mjs';
import { staleFiles } from './stale-files.mjs';
import { writeNotices } from './write-notices.mjs';

/** No program reads these; sources are not published. */
const LEFT_OUT = /(\.map|\.tsbuildinfo|\.test\.ts)$/;

/**
 * Makes the package of the platform in a folder: the built files of packages of the repository, each in a folder of
 * its own, with relative imports of each other.
 *
 * @param {string} target an empty folder below the repository
 * @param {string} root the repository
 * @param {readonly { name: string, folder: string }[]} packages
 */
export async function makePlatform(target, root, packages) {
  const described = packages.map(({ name, folder }) => {
    const description = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { name, folder: join(root, folder), description };
  });
  const exported = exportedFiles(described);
  for (const one of described) copyPackage(one, target);
  const files = readdirSync(target, { recursive: true }).filter((file) => /\.(js|mjs|d\.ts)$/.test(file));
  for (const file of files) {
    const path = join(target, file);
    if (!statSync(path).isFile() || isData(file)) continue;
    const text = readFileSync(path, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\n?$/, '\n');
    writeFileSync(path, rewriteImports(text, file.split(sep).join('/'), exported));
  }
  const exports = platformExports(described);
  keepReachableTypes(
    target,
    Object.values(exports).flatMap(({ types }) => types ?? []),
  );
  const { dependencies, peers } = dependenciesOf(described);
  const sources = new Map(described.map(({ name, folder }) => [folderOf(name), folder]));
  const bundled = await bundleDependencies({
    folder: target,
    modules: files.filter((file) => file.endsWith('.js') && !isData(file) && importsBundled(join(target, file))),
    sourceFolderOf: (module) => sources.get(module.split(sep)[0]),
    kept: { ...dependencies, ...peers },
  });
  writeNotices(target, bundled);
  copyReadme(root, join(root, 'tools', 'pack', 'platform'), target);
  const manifest = manifestOf(root, {
    name: PLATFORM,
    description: 'The code of Lintel, an application REST platform. Applications import it through other packages.',
    exports,
    sideEffects: true,
    files: [...described.map(({ name }) => folderOf(name)), 'vendor', 'THIRD-PARTY-NOTICES.md'],
    dependencies,
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
  });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Files that commands copy for people, or that browsers load: not modules of the platform. */
const isData = (file) => /^(cli[\\/](template|client)|console[\\/]dist[\\/]bundle)[\\/]/.test(file);

function copyPackage({ name, folder, description }, target) {
  const destination = join(target, folderOf(name));
  const isStale = staleFiles(folder);
  for (const entry of description.files ?? [])
    cpSync(join(folder, entry), join(destination, entry), {
      recursive: true,
      filter: (path) => !isLeftOut(path, folder) && !isStale(path),
    });
  mkdirSync(destination, { recursive: true });
  // Read by the version of the API and of the command; the kind of the modules is that of the platform.
  const own = { name, version: description.version, type: 'module', private: true };
  writeFileSync(join(destination, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/** Tests of the template are files of new applications. */
const isLeftOut = (path, folder) => LEFT_OUT.test(path) && !path.startsWith(join(folder, 'template'));

/** The dependencies of all packages on others, each with the one version that they agree on. */
function dependenciesOf(packages) {
  const versions = new Map();
  for (const { name, description } of packages) {
    for (const [needed, version] of Object.entries(description.dependencies ?? {})) {
      if (needed.startsWith('@lintel/')) continue;
      const known = versions.get(needed);
      if (known !== undefined && known !== version)
        throw new Error(`${name} needs ${needed} ${version}, another package ${known}: they are published together`);
      versions.set(needed, version);
    }
  }
  const sorted = [...versions].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    dependencies: Object.fromEntries(sorted.filter(([name]) => !BUNDLED.includes(name) && !OPTIONAL.includes(name))),
    peers: Object.fromEntries(sorted.filter(([name]) => OPTIONAL.includes(name))),
  };
}

const IMPORTS_BUNDLED = new RegExp(
  `(from|import\\(?|require\\()\\s*["'](${BUNDLED.map((name) => name.replace('/', '\\/')).join('|')})(/[^"']*)?["']`,
);
const importsBundled = (file) => IMPORTS_BUNDLED.test(readFileSync(file, 'utf8'));

/** What the facades export, and the program of the command line. */
function platformExports(packages) {
  const paths = packages
    .filter(({ name }) => name in FACADES)
    .flatMap(({ name, description }) =>
      Object.entries(description.exports).map(([subpath, target]) => {
        const file = `./${join(folderOf(name), target.default)}`;
        const key = subpath === '.' ? `./${folderOf(name)}` : `./${folderOf(name)}${subpath.slice(1)}`;
        return [key, { types: file.replace(/\.js$/, '.d.ts'), default: file }];
      }),
    );
  return {
    ...Object.fromEntries(paths),
    './cli/bin': { default: './cli/bin/lintel.mjs' },
    './package.json': './package.json',
  };
}
