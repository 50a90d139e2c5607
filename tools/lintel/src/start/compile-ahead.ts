import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@lintel/config/environment';
import { CommandError } from '../command-error.ts';

/**
 * Starts each service without its settings: it loads all of its code and the application, names the missing settings
 * and ends. Node stores the compiled code, and uses it for the same user, with the same options.
 *
 * @throws CommandError with the output of a service that does not get as far
 */
export function compileAhead(folder: string, services: readonly string[]): void {
  const variables = Object.entries(environment()).filter(([name]) => !/^SVC_(?!APPLICATION$)/.test(name));
  for (const service of services) {
    const command = [...process.execArgv, process.argv[1] ?? '', 'serve-service', service];
    const { stdout, stderr } = spawnSync(process.execPath, command, {
      env: { ...Object.fromEntries(variables), NODE_COMPILE_CACHE: folder },
      encoding: 'utf8',
    });
    if (!/\(SVC_\w+\): is required/.test(stderr))
      throw new CommandError(`${service} cannot be compiled:\n${stdout}${stderr}`, 'Correct the application');
  }
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) chmodSync(join(file.parentPath, file.name), 0o644);
}
