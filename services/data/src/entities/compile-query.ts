import type { Display, Model } from '@lintel/metadata';
import {
  compileCount,
  compileEach,
  compileEnd,
  compileEstimate,
  compileRead,
  type ParsedQuery,
  planCount,
  planRead,
  type ReadAccess,
  type RowPosition,
  resolveRead,
  type StatementTemplate,
  secureRead,
} from '@lintel/query';
import type { PreparedRead } from './statement-cache.ts';

/**
 * The pure stages between the parsed query and the statement: run once for each shape of request.
 *
 * @param variant of one query: `after` is the row that the page begins behind, of whose values only counts
 *   which are null; `display` tells how instance names show values; with `tokens` every object gets a security token
 */
export function compileQuery(
  parsed: ParsedQuery,
  model: Model,
  access: ReadAccess,
  variant: {
    readonly isUnlimited: boolean;
    readonly after: RowPosition | undefined;
    readonly display: Display;
    readonly tokens: boolean;
  },
): PreparedRead {
  const { isUnlimited, after, display, tokens } = variant;
  const resolved = resolveRead(parsed, model);
  const secured = secureRead(resolved, access);
  const isFiltered = secured.node.policy !== undefined;
  const plan = planRead(secured, {
    limited: !isUnlimited && !isFiltered,
    display,
    tokens,
    ...(after === undefined ? {} : { after }),
  });
  const rows = compileRead(plan);
  return {
    rows,
    count: once(() => compileCount(planCount(secured))),
    estimate: once(() => compileEstimate(planCount(secured))),
    end: once(() => compileEnd(plan)),
    streamed: once(() => compileRead({ ...plan, position: [] })),
    each: once(() => compileEach(rows, ({ kind }) => kind === 'id')),
    isFiltered,
  };
}

function once(make: () => StatementTemplate): () => StatementTemplate {
  let made: StatementTemplate | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
