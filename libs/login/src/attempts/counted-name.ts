/** Characters that directories ignore when they compare names (RFC 4518 §2.2), and accents, which some of them ignore. */
const IGNORED = /[[\p{C}\p{DI}\p{M}\uFFFC]--\s]/gv;

/**
 * The form of a user name in which attempts are counted. Directories compare names without regard to case, accents and
 * spaces: each spelling must not have a limit of its own.
 */
export const countedName = (username: string): string =>
  username
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(IGNORED, '')
    .replace(/\s+/g, ' ')
    .trim();
