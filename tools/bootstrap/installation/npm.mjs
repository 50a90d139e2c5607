import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { Failure } from '../failure.mjs';
import { runProgram } from '../run-program.mjs';

/**
 * The script of the user's npm: the one that runs this process, else the one of the Node on the path.
 * The platform packages of Node contain no npm, so the current Node runs this one.
 */
function npmScript() {
  const running = process.env.npm_execpath;
  if (running !== undefined && /^npm(-cli)?\.[cm]?js$/.test(basename(running)) && existsSync(running)) return running;
  for (const folder of (process.env.PATH || '').split(delimiter)) {
    for (const candidate of ['../lib/node_modules/npm', 'node_modules/npm', '../share/nodejs/npm']) {
      const script = join(folder, candidate, 'bin', 'npm-cli.js');
      if (folder !== '' && existsSync(script)) return script;
    }
  }
  throw new Failure('npm was not found.', 'Install Node.js with npm, or run this through "npm start".');
}

/**
 * Runs npm quietly.
 *
 * @param {readonly string[]} parameters
 * @param {{ cwd: string, purpose: string }} options
 * @throws {Failure} with npm's own output and a sentence on what to do
 */
export async function npm(parameters, { cwd, purpose }) {
  const { code, output } = await runProgram(process.execPath, [npmScript(), ...parameters], {
    cwd,
    env: cleanEnvironment(),
  });
  if (code === 0) return;
  const details = output
    .split('\n')
    .filter((line) => /npm (error|ERR!)/.test(line))
    .slice(0, 12)
    .join('\n');
  throw explain(purpose, code, output, details);
}

function explain(purpose, code, output, details) {
  const network = output.match(
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EIDLETIMEOUT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|SELF_SIGNED_CERT_IN_CHAIN)\b/,
  );
  if (network !== null) {
    return new Failure(
      `${purpose}: the npm registry cannot be reached (${network[1]}).`,
      'Check the network, or name a registry or proxy with "npm config set registry <url>" or "npm config set proxy <url>".',
      details,
    );
  }
  if (/\bE(401|403)\b/.test(output)) {
    return new Failure(`${purpose}: the npm registry refuses.`, 'Check the login of your npm ("npm whoami").', details);
  }
  if (/\bENOSPC\b/.test(output)) return new Failure(`${purpose}: the disk is full.`, 'Free about 1 GB.', details);
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return new Failure(
      `${purpose}: a folder may not be written.`,
      'Check who owns this clone and the npm cache ("npm config get cache").',
      details,
    );
  }
  return new Failure(
    `${purpose}: npm ended with code ${code}.`,
    'Its messages are above.',
    details || output.slice(-2000),
  );
}

/** Without what the outer `npm start` set for its own run: it would steer the inner one to other folders. */
function cleanEnvironment() {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH || ''}` };
  for (const name of Object.keys(env)) {
    if (/^npm_(lifecycle|package|command|node_execpath|execpath)/i.test(name)) delete env[name];
    if (
      /^npm_config_(global|prefix|local_prefix|workspaces?|include_workspace_root|omit|include|production|dry_run|json|loglevel|silent|ignore_scripts|global_prefix|node_gyp|noproxy)$/i.test(
        name,
      ) &&
      !/noproxy/i.test(name)
    )
      delete env[name];
  }
  // A production setting of the shell would leave the build tools out.
  delete env.NODE_ENV;
  delete env.NODE_OPTIONS;
  return env;
}
