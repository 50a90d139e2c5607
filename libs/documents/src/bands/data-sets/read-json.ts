import type { JsonDataSet } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { ExactNumber, readExactJson } from '@lintel/query';
import { JSONPathEnvironment, type JSONPathQuery, type JSONValue } from 'json-p3';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { type Fields, plainRow } from '../cell.ts';
import { cellsOfComputedRow } from '../cells-of-row.ts';
import { fieldOf } from '../field-of.ts';
import type { PlacedRow } from '../merge-rows.ts';
import { boundText } from './bound-value.ts';
import { withinTime } from './within-time.ts';

const environment = new JSONPathEnvironment();

/** @throws Error with the problem of the path */
export const compileJsonPath = (path: string): JSONPathQuery => environment.compile(path);

/**
 * Reads the objects that the path finds in a document (contract/report-data.md#data): a list of objects, one object, or
 * the elements of one array. A path without a match gives no rows.
 */
export async function* readJson(
  { source, path }: JsonDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const query = compileJsonPath(path);
  for (const [at, ancestors] of parents.entries()) {
    const document = await documentOf(source, context, ancestors);
    if (document === undefined) continue;
    for (const row of rowsIn(query, document, path, context.maxPathMs)) yield { at, fields: cellsOfComputedRow(row) };
  }
}

async function documentOf(source: JsonDataSet['source'], context: BandContext, ancestors: Fields): Promise<unknown> {
  const { parameters } = context;
  if ('parameter' in source) {
    const value = parameters[source.parameter];
    if (value === null || value === undefined) return undefined;
    return typeof value === 'string' ? parse(value) : value;
  }
  if ('url' in source) return parse(await context.data.readDocument(substitute(source.url, context, ancestors)));
  const value = await source.from(parameters, plainRow(ancestors));
  return typeof value === 'string' ? parse(value) : value;
}

function parse(text: string): unknown {
  try {
    return readExactJson(text);
  } catch (cause) {
    throw new ReportFailure('The document is not valid JSON', { cause });
  }
}

/** Substitutes values in a URL; each one is encoded, so that it stays one part of the URL. */
const substitute = (url: string, { parameterFields }: BandContext, ancestors: Fields): string =>
  url.replace(/\$\{\s*([\w.]+)\s*\}/g, (_, name: string) => {
    const cell = fieldOf(parameterFields, name) ?? fieldOf(ancestors, name);
    if (cell === undefined) throw new ReportFailure(`There is no parameter or field ${name}`);
    return encodeURIComponent(boundText(cell) ?? '');
  });

/**
 * Evaluates a path.
 *
 * @param maxMs time of the path; ten megabytes of a document take a tenth of a second
 * @throws REPORT_RUN_ERROR where that takes too long: a path may match the same elements repeatedly, and may have
 *   regular expressions
 */
export const valuesAt = (query: JSONPathQuery, document: unknown, path: string, maxMs: number): readonly unknown[] =>
  withinTime(
    () => query.query(document as JSONValue).values() as readonly unknown[],
    maxMs,
    () => new PlatformError('REPORT_RUN_ERROR', `The path ${path} takes more than ${maxMs} ms`),
  );

function rowsIn(
  query: JSONPathQuery,
  document: unknown,
  path: string,
  maxMs: number,
): readonly Record<string, unknown>[] {
  const found = valuesAt(query, document, path, maxMs);
  const [only] = found;
  const rows = found.length === 1 && Array.isArray(only) ? (only as readonly unknown[]) : found;
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row) || row instanceof ExactNumber)
      throw new ReportFailure(`The path ${path} does not lead to objects`);
    return row as Record<string, unknown>;
  });
}
