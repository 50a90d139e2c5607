import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of programs of the system that the search path of users may lack. */
const SYSTEM = ['/usr/sbin', '/usr/local/sbin'];

/** The file of a program such as `nginx`, or undefined where it is not installed. */
export const findProgram = (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined =>
  [...(environment['PATH'] ?? '').split(':').filter(Boolean), ...SYSTEM]
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
