import type { Model } from '@lintel/metadata';
import {
  compileCount,
  compileRead,
  type ParsedQuery,
  planCount,
  planRead,
  type ReadAccess,
  resolveRead,
  type StatementTemplate,
  secureRead,
} from '@lintel/query';
import type { PreparedRead } from './statement-cache.ts';

/** The pure stages between the parsed query and the statement: run once for each shape of request. */
export function compileQuery(
  parsed: ParsedQuery,
  model: Model,
  access: ReadAccess,
  isUnlimited: boolean,
): PreparedRead {
  const resolved = resolveRead(parsed, model);
  const secured = secureRead(resolved, access);
  const isFiltered = secured.node.policy !== undefined;
  const plan = planRead(secured, { limited: !isUnlimited && !isFiltered });
  const rows = compileRead(plan);
  let count: StatementTemplate | undefined;
  return {
    rows,
    count: () => {
      count ??= compileCount(planCount(secured));
      return count;
    },
    isFiltered,
  };
}
