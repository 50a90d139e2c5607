import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { STATE } from './paths.mjs';

/**
 * Shows why a command could not be prepared or done, and ends the process with code 1.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function reportFailure(error) {
  if (error instanceof Failure) {
    if (error.details) process.stderr.write(`${error.details}\n\n`);
    process.stderr.write(`${error.message}\n`);
  } else {
    process.stderr.write(`${explain(error) || (error instanceof Error ? error.stack : String(error))}\n`);
  }
  process.exit(1);
}

/** The sentence for what commonly goes wrong with files. */
function explain(error) {
  if (!(error instanceof Error)) return undefined;
  const path = 'path' in error ? ` ${error.path}` : '';
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') {
    return `${path.trim() || 'A file'} may not be read or written: check who owns this clone, or start as that user.`;
  }
  if (error.code === 'ENOSPC') return 'The disk is full: free about 1 GB and start again.';
  if (error.code === 'ERR_MODULE_NOT_FOUND' && !/package/.test(error.message.split(' imported from')[0])) {
    rmSync(join(STATE, 'build.stamp'), { force: true });
    return `${error.message.split(' imported from')[0]}: restore what is missing with "git checkout ." and start again, which builds anew.`;
  }
  return undefined;
}
