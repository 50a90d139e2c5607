import { importRule } from '../import-rule.ts';

/** Made by a build. */
const BUILT = /(?:^|\/)dist\//;

export const importsAreKept = importRule(
  {
    id: 'imports-are-kept',
    statement: 'A file that is imported is one that git keeps',
    because: 'a file that git ignores is on one machine alone, and what it checked is checked nowhere else',
  },
  ({ statement, target }, { texts }) =>
    target.kind === 'file' && !BUILT.test(target.path) && !texts.has(target.path)
      ? `imports ${statement.specifier}, which git ignores or does not have`
      : undefined,
);
