import { readdirSync, readFileSync } from 'node:fs';

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** What packages consist of, without their tests. */
export function readSources(root: URL, folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root)).flatMap((name) => sourcesOf(root, `${folder}/${name}/src`)),
  );
}

const sourcesOf = (root: URL, folder: string): readonly SourceFile[] =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .map((path) => ({
      path: path.slice(path.indexOf(`/${folder}`) + 1).replaceAll('//', '/'),
      text: readFileSync(path, 'utf8'),
    }));
