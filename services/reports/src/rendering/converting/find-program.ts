import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ProgramPlaces {
  /** The setting: a program, or a folder that holds it. */
  readonly configured: string | undefined;
  readonly names: readonly string[];
  /** Folders within a configured one. */
  readonly below: readonly string[];
  readonly usual: readonly string[];
}

/** The full path of a program; undefined where there is none. A configured place is the only one. */
export async function findProgram({ configured, names, below, usual }: ProgramPlaces): Promise<string | undefined> {
  if (configured !== undefined) {
    const inside = below.flatMap((folder) => names.map((name) => join(configured, folder, name)));
    return firstProgram([configured, ...inside]);
  }
  return firstProgram(usual.flatMap((folder) => names.map((name) => join(folder, name))));
}

async function firstProgram(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // Not there, or not for this user: the next one.
    }
  }
  return undefined;
}
