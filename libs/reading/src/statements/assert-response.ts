import { limitExceeded, type Page, type ParsedQuery } from '@lintel/query';
import type { ReadDependencies } from '../read-dependencies.ts';
import type { CompiledRead } from './statement-cache.ts';

/** The properties that determine the size of a response. */
interface SizedRead {
  readonly parsed: Pick<ParsedQuery, 'limit' | 'limits'>;
  readonly compiled: Pick<CompiledRead, 'planNodes' | 'isFiltered'>;
}

/** Rows of the read that a response may have. */
export const maxRowsOf = ({ parsed: { limits }, compiled: { planNodes } }: SizedRead): number =>
  Math.floor(limits.responseNodes / planNodes);

/**
 * Refuses a page whose rows together have more objects than a response may have. If the client sets no limit, the
 * existing rows are counted while they are read (`streamPage`). If predicates choose the rows, their number is known
 * only at the end. Exports have any number.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertResponse(
  read: SizedRead,
  { limit }: Page,
  { exportAs }: Pick<ReadDependencies, 'exportAs'>,
): void {
  if (exportAs !== undefined) return;
  const isMeasured = read.parsed.limit === undefined && !read.compiled.isFiltered;
  if (limit > maxRowsOf(read) && !isMeasured) throw tooManyObjects(read, limit, String(limit));
}

/** @param counted the rows, as the message names them */
export function tooManyObjects(read: SizedRead, rows: number, counted: string): Error {
  const { limits } = read.parsed;
  const { planNodes } = read.compiled;
  const detail = `${counted} rows of ${planNodes} objects; a 'limit' of ${maxRowsOf(read)} or less is accepted`;
  return limitExceeded(limits, 'responseNodes', rows * planNodes, detail);
}
