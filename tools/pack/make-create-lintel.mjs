import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { copyReadme } from '../release/repository.mjs';
import { manifestOf } from './manifest.mjs';
import { writeNotices } from './write-notices.mjs';

/** The name that `npm create lintel` looks for. */
export const CREATE = 'create-lintel';

const HEAD =
  "#!/usr/bin/env node\nimport { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * Makes the package of `npm create lintel` in a folder: the command `lintel init` as one file without dependencies, and
 * the template.
 *
 * @param {string} target an empty folder
 * @param {string} root the repository
 */
export async function makeCreateLintel(target, root) {
  const command = join(root, 'tools', 'lintel');
  const result = await build({
    entryPoints: [join(command, 'dist', 'init', 'create.js')],
    // As deep as the modules of the command, which find the template from here.
    outfile: join(target, 'dist', 'init', 'create.js'),
    bundle: true,
    banner: { js: HEAD },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  });
  chmodSync(join(target, 'dist', 'init', 'create.js'), 0o755);
  const folders = Object.keys(result.metafile.inputs).map(
    (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1],
  );
  writeNotices(
    target,
    [...new Set(folders.filter((folder) => folder !== undefined))].map((folder) => join(process.cwd(), folder)),
  );
  cpSync(join(command, 'template'), join(target, 'template'), { recursive: true });
  copyReadme(root, join(root, 'tools', 'pack', 'create-lintel'), target);
  const manifest = manifestOf(root, {
    name: CREATE,
    description: 'Makes an application of Lintel, an application REST platform: npm create lintel@latest shop',
    bin: { [CREATE]: 'dist/init/create.js' },
    exports: { './package.json': './package.json' },
    sideEffects: true,
    files: ['dist', 'template', 'THIRD-PARTY-NOTICES.md'],
  });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
