import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { isStartError, StartError } from '@lintel/errors';

const POSITION = /(file:\/\/\/[^\s()]+?|\/[^\s():]+):(\d+)(?::(\d+))?(?=[\s)]|$)/g;

/**
 * An error that was thrown while the modules of an application were loaded, with the file, line and column in the
 * application's own source. Errors that explain themselves, and those of other sources, are returned unchanged.
 *
 * @param folder to which the name of the file is relative
 */
export function sourceError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || isStartError(error)) return error;
  const position = positionIn(inspect(error), folder);
  if (position === undefined) return error;
  return new StartError(`${position}: ${error.name}: ${error.message.trim()}`, { cause: error });
}

/** The first position in a source of the folder: that of a syntax error, or the one of the innermost call. */
function positionIn(text: string, folder: string): string | undefined {
  for (const match of text.matchAll(POSITION)) {
    const [, file = '', line, column] = match;
    const path = relative(folder, file.startsWith('file:') ? fileURLToPath(file) : file);
    if (path.startsWith('..') || path.split(sep).includes('node_modules')) continue;
    return [path, line, column ?? columnOfCarets(text.slice(match.index))]
      .filter((part) => part !== undefined)
      .join(':');
  }
  return undefined;
}

/** Lines of a source that Node shows before the carets of a syntax error, at most. */
const SHOWN_LINES = 4;

/** Node shows the line of a syntax error, and below it carets. */
function columnOfCarets(text: string): number | undefined {
  const carets = text
    .split('\n')
    .slice(1, SHOWN_LINES + 1)
    .find((line) => /^ *\^+ *$/.test(line));
  return carets === undefined ? undefined : carets.indexOf('^') + 1;
}
