import type { Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

/** Made by a build. */
const BUILT = /(?:^|\/)dist\//;

export const importsAreKept: Rule = {
  id: 'imports-are-kept',
  statement: 'A file that is imported is one that git keeps',
  because: 'a file that git ignores is on one machine alone, and what it checked is checked nowhere else',
  *check(workspace) {
    for (const { file, statement, target } of importsOf(workspace))
      if (target.kind === 'file' && !BUILT.test(target.path) && !workspace.texts.has(target.path))
        yield {
          file: file.path,
          line: statement.line,
          what: `imports ${statement.specifier}, which git ignores or does not have`,
        };
  },
};
