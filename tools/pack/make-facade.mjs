import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyReadme } from '../release/repository.mjs';
import { manifestOf } from './manifest.mjs';
import { FACADES, folderOf, PLATFORM } from './publication.mjs';

/**
 * Makes a package that applications import in a folder: it exports what the package of the repository exports, from
 * the platform, so that all packages of an application share one copy of the code.
 *
 * @param {string} target an empty folder
 * @param {string} root the repository
 * @param {string} name one of `FACADES`
 */
export function makeFacade(target, root, name) {
  const folder = join(root, FACADES[name]);
  const { description, exports, bin, sideEffects } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const targets = Object.entries(exports).map(([subpath, { default: file }]) => [subpath, file]);
  for (const [subpath, file] of targets) {
    const from = `${PLATFORM}/${folderOf(name)}${subpath.slice(1)}`;
    const text = `export * from '${from}';\n`;
    write(join(target, file), text);
    write(join(target, file.replace(/\.js$/, '.d.ts')), text);
  }
  for (const file of Object.values(bin ?? {}))
    write(join(target, file), `#!/usr/bin/env node\nimport '${PLATFORM}/${folderOf(name)}/bin';\n`);
  copyReadme(root, folder, target);
  const manifest = manifestOf(root, {
    name,
    description,
    exports: Object.fromEntries([
      ...targets.map(([subpath, file]) => [subpath, { types: file.replace(/\.js$/, '.d.ts'), default: file }]),
      ['./package.json', './package.json'],
    ]),
    sideEffects: sideEffects ?? false,
    files: ['dist', ...(bin === undefined ? [] : ['bin'])],
    ...(bin === undefined ? {} : { bin }),
    dependencies: { [PLATFORM]: version },
  });
  write(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
