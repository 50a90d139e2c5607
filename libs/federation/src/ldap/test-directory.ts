import type { ProviderProblem } from '@lintel/contracts';
import { InvalidCredentialsError, NoSuchObjectError, ResultCodeError } from 'ldapts';
import { problemOf } from '../administration/problem-of.ts';
import type { Directory } from './directory.ts';

/** Connects to every server of a directory as a login does, and returns what is wrong. */
export async function testDirectory(
  directory: Pick<Directory, 'probe' | 'settings'>,
): Promise<readonly ProviderProblem[]> {
  const results = await directory.probe();
  return results.flatMap(({ url, error }) => (error === undefined ? [] : [directoryProblem(error, url, directory)]));
}

function directoryProblem(error: unknown, url: string, { settings }: Pick<Directory, 'settings'>): ProviderProblem {
  const { host } = new URL(url);
  if (error instanceof InvalidCredentialsError)
    return { code: 'login', message: `${host} refuses bind-dn with bind-password` };
  if (error instanceof NoSuchObjectError)
    return { code: 'base', message: `${host} has no entry ${settings['base-dn']} (base-dn) that bind-dn may see` };
  if (error instanceof ResultCodeError)
    return { code: 'other', message: `${host} refuses the request with result code ${error.code}` };
  const problem = problemOf(error, host);
  // ldapts has no codes for its own time limits.
  const isTimeout = problem.code === 'other' && error instanceof Error && /time[d ]*out/i.test(error.message);
  return isTimeout ? { code: 'timeout', message: `${host} does not respond in time` } : problem;
}
