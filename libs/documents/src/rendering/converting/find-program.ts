import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ProgramSearch {
  /** The setting: a program, or a folder with it. */
  readonly configured: string | undefined;
  readonly names: readonly string[];
  /** Subfolders of the configured folder that are searched. */
  readonly subfolders: readonly string[];
  readonly defaultFolders: readonly string[];
}

/** A program that may be missing. */
export interface InstalledProgram {
  /** Whether the program is there now. */
  isInstalled(): Promise<boolean>;
}

/** Returns the full path of a program; undefined where it is not found. A configured path is the only one searched. */
export async function findProgram({
  configured,
  names,
  subfolders,
  defaultFolders,
}: ProgramSearch): Promise<string | undefined> {
  if (configured !== undefined) {
    const inside = subfolders.flatMap((folder) => names.map((name) => join(configured, folder, name)));
    return firstProgram([configured, ...inside]);
  }
  return firstProgram(defaultFolders.flatMap((folder) => names.map((name) => join(folder, name))));
}

async function firstProgram(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // Missing, or without the right to execute it.
    }
  }
  return undefined;
}
