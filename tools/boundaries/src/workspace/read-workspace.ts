import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkspace } from './build-workspace.ts';
import type { Workspace } from './workspace.ts';

const READ = /(\.[cm]?[jt]sx?|\.(md|json|ya?ml|tpl|sh|sql|css|html)|Dockerfile)$/;
/** Generated, or results of measurements: long, and without citations. */
const GENERATED = /^(package-lock\.json|bench\/results\/)/;
/** Projects of other products, which are copied to where these are installed. */
const FOREIGN = /^bench\/peers\//;
const HIDDEN = /(^|\/)\./;
/** The last commit before the rule of subjects: earlier ones keep theirs, wherever the main branch is. */
const BEFORE_RULE = '33cd85f3f3f0a368df3480446f20e82aafedf926';

/**
 * Reads all sources and documents of the repository, committed or not. Files that git ignores are left out: tests write
 * such files while others run.
 */
export function readWorkspace(root: string): Workspace {
  const git = (...options: readonly string[]): string =>
    execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 });
  const paths = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  const texts = new Map<string, string>();
  for (const path of paths) {
    if (!READ.test(path) || HIDDEN.test(path) || GENERATED.test(path) || FOREIGN.test(path)) continue;
    // A file that was removed is listed until the removal is staged.
    if (existsSync(join(root, path))) texts.set(path, readFileSync(join(root, path), 'utf8'));
  }
  return buildWorkspace(texts, (name) => declaresExports(root, name), newCommits(git));
}

/** The commits after the rule of subjects that no main branch has; none where the history begins later. */
function newCommits(git: (...options: readonly string[]) => string): readonly string[] {
  const bases = linesOf(git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main'));
  const isKnown = linesOf(git('rev-list', '--no-walk', '--ignore-missing', BEFORE_RULE)).length > 0;
  if (bases.length === 0 || !isKnown) return [];
  return linesOf(git('log', '--no-merges', '--format=%h %s', 'HEAD', '--not', BEFORE_RULE, ...bases));
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

function declaresExports(root: string, packageName: string): boolean {
  const manifest = join(root, 'node_modules', packageName, 'package.json');
  // What is not installed cannot be imported either: the compiler says so.
  if (!existsSync(manifest)) return true;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: unknown }).exports !== undefined;
}
