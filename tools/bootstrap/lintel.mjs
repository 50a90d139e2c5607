/**
 * `npx lintel …` in a clone: prepares it as `npm start` does (Node, packages, build), then runs the command in the
 * folder where it was called. In the folder of the clone itself the application is the example, as for `npm start`.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { alone } from './installation/lock.mjs';
import { continueWith, fetchNode, isNewEnough } from './installation/node-version.mjs';
import { installPackages } from './installation/packages.mjs';
import { whenParentIsGone } from './parent-watch.mjs';
import { ROOT } from './paths.mjs';
import { reportFailure } from './report-failure.mjs';

const COMMAND = join(ROOT, 'tools', 'lintel');
const EXAMPLE = '@lintel/example-sales';

try {
  await runLintel();
} catch (error) {
  reportFailure(error);
}

async function runLintel() {
  if (!isNewEnough(process.versions.node)) {
    const program = await alone(fetchNode);
    await continueWith(program, join(COMMAND, 'bin', 'lintel.mjs'), process.argv.slice(2));
  }
  whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
  await alone(async () => {
    await installPackages();
    await build();
  });
  const { SVC_APPLICATION, SVC_CONFIG_FILE } = process.env;
  const isOpen = SVC_APPLICATION === undefined && SVC_CONFIG_FILE === undefined;
  if (isOpen && realpathSync(process.cwd()) === realpathSync(ROOT)) process.env.SVC_APPLICATION = EXAMPLE;
  await import(pathToFileURL(join(COMMAND, 'dist', 'main.js')).href);
}
