import { spawnSync } from 'node:child_process';

/** Whether the user may start the program (checked by the system, so access lists count too). */
export function canExecute(program: string, user: { readonly uid: number; readonly gid: number } | undefined): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}
