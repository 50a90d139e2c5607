import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Changes of several files at once, such as those of a branch, are one change. */
const QUIET_MS = 30;
const IGNORED = new Set(['node_modules', 'dist', 'coverage', 'test', 'tests']);
const CODE = /^\.env$|\.([cm]?[jt]s|json|properties|ya?ml|xml|sql)$/;
/** Templates of reports, in folders only: files at the top are what commands and people write. */
const TEMPLATE = /[/\\].*\.(xlsx|docx|html|csv|txt|liquid)$/;

/** Watches the sources of an application, but not its packages, its tests, hidden folders and `ignored`. */
export function watchFolder(
  folder: string,
  { ignored, onChange }: { readonly ignored: string; readonly onChange: (files: readonly string[]) => void },
): { close(): void } {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const isWatched = (name: string): boolean =>
    !IGNORED.has(name) && !name.startsWith('.') && join(folder, name) !== ignored;
  const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
  const note = (path: string): void => {
    const file = relative(folder, path);
    const [top = ''] = file.split(sep);
    const isSource = CODE.test(file) || TEMPLATE.test(file) || isFolder(path);
    if (!isSource || (file !== '.env' && !isWatched(top))) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed].sort();
      changed.clear();
      onChange(files);
    }, QUIET_MS);
  };
  const watchBelow = (name: string): void => {
    const path = join(folder, name);
    if (watchers.has(name) || !isWatched(name) || !isFolder(path)) return;
    const watcher = watch(path, { recursive: true }, (_event, file) => note(join(path, file ?? '')));
    watcher.on('error', () => {
      watcher.close();
      watchers.delete(name);
    });
    watchers.set(name, watcher);
  };

  // Not recursive: the folder of packages has thousands of folders.
  watchers.set(
    '',
    watch(folder, (_event, file) => {
      if (file === null) return;
      watchBelow(file);
      note(join(folder, file));
    }),
  );
  for (const name of readdirSync(folder)) watchBelow(name);
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
