import { limitExceeded, type Page, type ParsedQuery } from '@lintel/query';
import type { PreparedRead } from './statement-cache.ts';

/** What the size of a response depends on. */
interface SizedLine {
  readonly parsed: Pick<ParsedQuery, 'limit' | 'limits'>;
  readonly prepared: Pick<PreparedRead, 'planNodes' | 'isFiltered'>;
}

/** Rows of the line that a response may have. */
export const maxRowsOf = ({ parsed: { limits }, prepared: { planNodes } }: SizedLine): number =>
  Math.floor(limits.responseNodes / planNodes);

/**
 * Refuses a page whose rows together have more objects than a response may. Where no limit was asked for, the rows that
 * there are count, which are found out when they are read (`streamPage`); where predicates choose the rows, only the end
 * of the reading tells how many there are.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertResponse(line: SizedLine, { limit }: Page): void {
  const isMeasured = line.parsed.limit === undefined && !line.prepared.isFiltered;
  if (limit > maxRowsOf(line) && !isMeasured) throw tooManyObjects(line, limit, String(limit));
}

/** @param counted the rows, as the message names them */
export function tooManyObjects(line: SizedLine, rows: number, counted: string): Error {
  const { limits } = line.parsed;
  const { planNodes } = line.prepared;
  const detail = `${counted} rows of ${planNodes} objects; a 'limit' of ${maxRowsOf(line)} or less is accepted`;
  return limitExceeded(limits, 'responseNodes', rows * planNodes, detail);
}
