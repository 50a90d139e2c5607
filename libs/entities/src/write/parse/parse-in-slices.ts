import { pauseAt } from '../../slices/map-in-slices.ts';
import type { ParseContext } from './parse-instance.ts';

/**
 * Reads instances by `parseInstance`. Of a large body the composition children are read in slices, level by level,
 * between which other requests go on.
 */
export async function parseInSlices<T>(
  context: ParseContext,
  isLarge: boolean,
  parse: (context: ParseContext) => T,
): Promise<T> {
  if (!isLarge) return parse(context);
  const pending: (() => void)[] = [];
  const result = parse({ ...context, later: (work) => pending.push(work) });
  // Each call may append further work to `pending`.
  for (let at = 0; at < pending.length; at += 1) {
    await pauseAt(at);
    pending[at]?.();
  }
  return result;
}
