/**
 * First file of every command: `node tools/bootstrap/run.mjs <task>`.
 *
 * Needs nothing but Node 16 and npm: fetches the right Node, installs the packages, builds what has changed
 * and hands over to the task. When there is nothing to do it costs some 30 milliseconds.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { Failure } from './failure.mjs';
import { alone } from './installation/lock.mjs';
import { continueWith, fetchNode, isNewEnough } from './installation/node-version.mjs';
import { installPackages } from './installation/packages.mjs';
import { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } from './memory-environment.mjs';
import { whenParentIsGone } from './parent-watch.mjs';
import { ROOT, STATE } from './paths.mjs';
import { reportFailure } from './report-failure.mjs';
import { supervise } from './supervision/supervise.mjs';
import { TASKS } from './tasks.mjs';

/** Options of a task; whether its help was asked for. @throws Failure with an option that the task does not have */
function wantsHelp(name, { options }, parameters) {
  if (parameters.includes('--help') || parameters.includes('-h')) return true;
  const unknown = options && parameters.find((parameter) => !Object.keys(options).includes(parameter));
  if (unknown !== undefined)
    throw new Failure(`npm run ${name} has no option "${unknown}".`, `See "npm run ${name} -- --help".`);
  return false;
}

function helpOf(name, { about, options = {}, parameters }) {
  const lines = Object.entries(options).map(([option, text]) => `  ${option.padEnd(10)}${text}`);
  const command = `npm ${name === 'start' || name === 'test' ? name : `run ${name}`}`;
  const form = lines.length > 0 || parameters !== undefined ? `${command} -- …` : command;
  return [`${form}\n\n${about}`, lines.join('\n'), parameters ?? ''].filter((text) => text !== '').join('\n\n');
}

async function main() {
  const [name = '', ...parameters] = process.argv.slice(2);
  const task = TASKS[name];
  if (task === undefined) {
    throw new Failure(`There is no task "${name}".`, `Choose one of ${Object.keys(TASKS).join(', ')}.`);
  }
  if (wantsHelp(name, task, parameters)) {
    process.stdout.write(`${helpOf(name, task)}\n`);
    return;
  }
  process.chdir(ROOT);
  process.env.LINTEL_STARTED_AT = process.env.LINTEL_STARTED_AT || String(Date.now());
  if (!isNewEnough(process.versions.node)) {
    const program = await alone(fetchNode);
    await continueWith(program, fileURLToPath(import.meta.url), process.argv.slice(2));
  }
  whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
  await alone(async () => {
    await installPackages();
    if (task.builds) await build();
  });
  if (task.module === undefined) return;
  const file = join(ROOT, task.module);
  if (!existsSync(file)) {
    throw new Failure(`The file ${task.module} is missing.`, 'Restore it with "git checkout ." and start again.');
  }
  if (task.supervisedAs !== undefined) {
    const environment = { ...MEMORY_ENVIRONMENT, NODE_COMPILE_CACHE: join(STATE, 'compile-cache'), ...process.env };
    return supervise(file, parameters, { environment, name: task.supervisedAs, options: STANDALONE_OPTIONS });
  }
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(STATE, 'compile-cache'));
  process.argv = [process.argv[0], file, ...(task.first ?? []), ...parameters];
  await import(pathToFileURL(file).href);
}

main().catch(reportFailure);
