/** A line of CODEOWNERS. */
export interface OwnerRule {
  readonly pattern: string;
  readonly owners: readonly string[];
}

/** The rules of a CODEOWNERS file, in their order. */
export const parseOwners = (text: string): readonly OwnerRule[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [pattern = '', ...owners] = line.split(/\s+/);
      return { pattern, owners };
    });

/** The owners of a path: of the last rule that matches. Knows `*` and folders from the root (`/libs/query/`). */
export const ownersOf = (rules: readonly OwnerRule[], path: string): readonly string[] =>
  rules.findLast(({ pattern }) => pattern === '*' || `/${path}`.startsWith(pattern))?.owners ?? [];
