import { existsSync } from 'node:fs';
import { type BackendSource, type ProvisionContext, unavailable } from '../backend.ts';
import { findProgram } from './find-program.ts';
import { runToEnd } from './run-to-end.ts';

/** Installs Debian packages (names separated by blanks), where that is allowed, and goes on with what they bring. */
export function fromDebianPackage(packageName: string, next: BackendSource): BackendSource {
  return async (context) => {
    const apt = findProgram('apt-get');
    if (apt === undefined || !existsSync('/etc/debian_version')) return unavailable('this is not a Debian system');
    if (process.getuid?.() !== 0) return unavailable(`only root may install the package ${packageName}`);
    const failure = await installed(packageName, apt, context);
    return failure === undefined ? next(context) : unavailable(`apt-get install ${packageName}: ${failure}`);
  };
}

/** Another run may be installing; apt waits that many seconds for it. */
const LOCK = ['-o', 'DPkg::Lock::Timeout=600'];

/** One at a time: apt locks its database. */
let queue: Promise<unknown> = Promise.resolve();
let updated = false;

function installed(packageName: string, apt: string, context: ProvisionContext): Promise<string | undefined> {
  const work = queue.then(async () => {
    if (!updated) {
      context.onProgress('Updating the package lists');
      updated = true;
      const failure = await run(apt, ['update', ...LOCK, '-q']);
      if (failure !== undefined) context.onProgress(`apt-get update: ${failure}`);
    }
    context.onProgress(`Installing the package ${packageName}`);
    return run(apt, ['install', ...LOCK, '-y', '-q', '--no-install-recommends', ...packageName.split(' ')]);
  });
  queue = work;
  return work;
}

const run = (program: string, parameters: readonly string[]): Promise<string | undefined> =>
  runToEnd([program, ...parameters], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
