import { spawn } from 'node:child_process';
import { nodePackage, OLDEST, PINNED } from './node-package.mjs';

/**
 * Runs a script in a Node.js that is new enough, from the npm package that carries it; npm keeps the package in its
 * cache. This process ends with the same result. Where there is no such Node, it ends with code 2 and a sentence that
 * says what to install.
 *
 * @param {string} script
 * @param {readonly string[]} parameters
 * @returns {Promise<never>}
 */
export async function continueInNewerNode(script, parameters) {
  const { name, machine } = nodePackage();
  if (name === undefined) return refuse(`npm carries none for ${machine}`);
  process.stderr.write(`Using Node.js ${PINNED} from npm, because this one is ${process.versions.node}\n`);
  const { path, problem } = await locate(`${name}@${PINNED}`);
  if (path === undefined) return refuse(`npm could not fetch ${name}@${PINNED} (${problem})`);
  return continueWith(path, script, parameters);
}

function refuse(reason) {
  const needed = `Lintel needs Node.js ${OLDEST.join('.')} or newer; this is ${process.versions.node}, and ${reason}.`;
  process.stderr.write(
    `${needed}\nInstall Node.js 24, for example with "nvm install 24", and run the command again.\n`,
  );
  process.exit(2);
}

/** Path of the program in the package, which npm fetches where its cache does not have it. */
function locate(specification) {
  const parameters = ['exec', '--yes', `--package=${specification}`, '--', 'node', '-p', 'process.execPath'];
  return new Promise((resolve) => {
    // On Windows npm is a script of the shell.
    const child = spawn('npm', parameters, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('error', (error) => resolve({ problem: error.message }));
    child.once('close', (code) => {
      const path = output.trim().split('\n').pop();
      if (code === 0 && path) resolve({ path });
      else resolve({ problem: firstLine(errors) || `npm ended with code ${code}` });
    });
  });
}

/** The first sentence of npm, without its prefix. */
const firstLine = (errors) =>
  errors
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .find((line) => line !== '' && !/^(npm (warn|WARN)|code )/.test(line));

function continueWith(program, script, parameters) {
  const child = spawn(program, [script, ...parameters], { stdio: 'inherit' });
  // Ctrl-C reaches the child by itself: both are in the foreground. Other signals are passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => refuse(`${program} cannot be started (${error.message})`));
  child.once('exit', (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal);
    if (signal === null) process.exit(code === null ? 1 : code);
    else process.kill(process.pid, signal);
  });
  return new Promise(() => undefined);
}
