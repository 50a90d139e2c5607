import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of programs of the system that the search path of users may lack. */
const SYSTEM = ['/usr/sbin', '/usr/local/sbin'];

/** The program, or undefined where it is not installed. */
export const findNginx = (environment: Readonly<Record<string, string | undefined>>): string | undefined =>
  [...(environment['PATH'] ?? '').split(':').filter(Boolean), ...SYSTEM]
    .map((folder) => join(folder, 'nginx'))
    .find((file) => existsSync(file));
