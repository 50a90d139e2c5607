import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNewEnough, nodePackage, OLDEST, PINNED } from '../../lintel/bin/node-package.mjs';
import { Failure } from '../failure.mjs';
import { whenParentIsGone } from '../parent-watch.mjs';
import { STATE } from '../paths.mjs';
import { step } from '../progress.mjs';
import { npm } from './npm.mjs';

export { isNewEnough };

/**
 * Package that carries Node for this machine.
 *
 * @throws {Failure} where there is none
 */
function packageForThisMachine() {
  const { name, machine } = nodePackage();
  if (name !== undefined) return name;
  throw new Failure(
    `Lintel needs Node.js ${OLDEST.join('.')} or newer, and npm carries none for ${machine}.`,
    `Install Node.js 24 for your system and start again.`,
  );
}

/** Path of a Node that is new enough: fetched once from the npm registry into `.lintel`. */
export async function fetchNode() {
  const folder = join(STATE, `node-${PINNED}`);
  const program = join(folder, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  if (existsSync(program)) return program;
  const name = packageForThisMachine();
  await step(`Fetching Node.js ${PINNED} (this one is ${process.versions.node})`, async () => {
    mkdirSync(STATE, { recursive: true });
    const work = mkdtempSync(join(STATE, 'fetch-'));
    try {
      writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
      await npm(
        [
          'install',
          `${name}@${PINNED}`,
          '--no-save',
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          '--no-package-lock',
        ],
        {
          cwd: work,
          purpose: `Node.js ${PINNED} cannot be fetched`,
        },
      );
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(work, 'node_modules', name), folder);
      chmodSync(program, 0o755);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
  return program;
}

/** Goes on in another Node; ends this process with the same result. Never returns. */
export function continueWith(program, script, parameters) {
  const child = spawn(program, [script, ...parameters], { stdio: 'inherit' });
  whenParentIsGone(() => child.kill('SIGTERM'));
  // Ctrl-C reaches the child by itself: both are in the foreground. Other signals are passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}. Remove ${STATE} and start again.\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal);
    if (signal === null) process.exit(code === null ? 1 : code);
    else process.kill(process.pid, signal);
  });
  return new Promise(() => undefined);
}
