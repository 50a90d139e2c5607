import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Puts the modules of an application together, so that Node finds, reads and links one file when a service starts.
 * Packages stay where they are, so the application gets the classes that the service has.
 *
 * @param {string} folder of the application
 * @param {string} entry the module that exports it, relative to the folder; is replaced
 */
export async function bundleApplication(folder, entry) {
  await build({
    entryPoints: [join(folder, entry)],
    outfile: join(folder, entry),
    allowOverwrite: true,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    minifyWhitespace: true,
    lineLimit: 200,
    // Two modules may have classes of the same name.
    keepNames: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
}
