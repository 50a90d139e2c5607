import type { Finding, Rule } from '../../rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const PAGE = 'docs/architecture.md';
const FOLDER = /^((?:apps|libs|services)\/[^/]+)\/src\/([^/]+)\//;
const PACKAGE = /^(?:apps|libs|services)\/[^/]+$/;
const ROW = /^\| `((?:apps|libs|services)\/[a-z-]+)` \|(.*)\|$/;
const NAME = /`([a-z][a-z-]*)`/g;

export const architectureNamesFolders: Rule = {
  id: 'architecture-names-folders',
  statement: `${PAGE} has one row for each package of apps, libs and services, whose second cell names each folder of its source once`,
  because: 'the map of the code is read first, and a folder that is missing or gone there leads astray',
  *check({ texts, packages }) {
    const page = texts.get(PAGE);
    if (page === undefined) {
      if ([...texts.keys()].some((path) => path.startsWith('docs/'))) yield finding(1, 'is missing');
      return;
    }
    const rows = rowsOf(page);
    const folders = foldersOf(texts);
    for (const { folder } of packages) if (PACKAGE.test(folder)) yield* rowProblems(folder, rows, folders.get(folder));
    for (const { line, name } of rows)
      if (!packages.some(({ folder }) => folder === name)) yield finding(line, `describes ${name}, which is not there`);
  },
};

interface Row {
  readonly line: number;
  readonly name: string;
  /** Names in the cell of folders, in order. */
  readonly folders: readonly string[];
}

function rowsOf(page: string): readonly Row[] {
  return page.split('\n').flatMap((text, index) => {
    const [, name, cells = ''] = ROW.exec(text) ?? [];
    const [cell = ''] = cells.split('|', 1);
    return name === undefined
      ? []
      : [{ line: index + 1, name, folders: [...cell.matchAll(NAME)].map(([, folder = '']) => folder) }];
  });
}

function foldersOf(texts: Workspace['texts']): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of texts.keys()) {
    const [, owner, folder] = FOLDER.exec(path) ?? [];
    if (owner === undefined || folder === undefined) continue;
    folders.set(owner, (folders.get(owner) ?? new Set()).add(folder));
  }
  return folders;
}

function* rowProblems(name: string, rows: readonly Row[], there: ReadonlySet<string> = new Set()): Iterable<Finding> {
  const own = rows.filter((row) => row.name === name);
  const [row] = own;
  if (row === undefined) return yield finding(1, `has no row for ${name}`);
  if (own.length > 1) yield finding(own[1]?.line ?? row.line, `describes ${name} twice`);
  for (const folder of there)
    if (!row.folders.includes(folder)) yield finding(row.line, `does not name ${name}/src/${folder}`);
  for (const [index, folder] of row.folders.entries())
    if (!there.has(folder)) yield finding(row.line, `names ${name}/src/${folder}, which is not there`);
    else if (row.folders.indexOf(folder) !== index) yield finding(row.line, `names ${name}/src/${folder} twice`);
}

const finding = (line: number, what: string): Finding => ({ file: PAGE, line, what });
