import type { JsonVersion } from '@lintel/application';
import type { WriteResponse } from '@lintel/entities';
import { textsOf } from '@lintel/persistence';
import { entityTag, type ReadResult, type RowBatch } from '@lintel/reading';
import { clientJson } from './client-version.ts';

/** The result of a read in the JSON of the client's model version. */
export function clientReadResult(version: JsonVersion | undefined, entityName: string, result: ReadResult): ReadResult {
  if (version === undefined) return result;
  const convert = (json: string): string => clientJson(version, entityName, json);
  switch (result.kind) {
    case 'instance':
      return { ...result, json: convert(result.json) };
    case 'list':
      return { ...result, rows: result.rows.map(convert) };
    case 'stream':
      return { ...result, batches: convertBatches(result.batches, convert) };
    default:
      return result;
  }
}

async function* convertBatches(
  batches: AsyncIterable<RowBatch>,
  convert: (json: string) => string,
): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) yield ('pieces' in rows ? textsOf(rows) : rows).map(convert);
}

/** The response of a write in the JSON of the client's model version; the tag is that of this body. */
export function clientWriteResponse(
  version: JsonVersion | undefined,
  entityName: string,
  result: WriteResponse,
): WriteResponse {
  if (version === undefined || result.body === '') return result;
  const body = clientJson(version, entityName, result.body);
  const { ETag: tag, ...headers } = result.headers;
  if (tag === undefined) return { ...result, body };
  const known = /^"([^.]*)\./.exec(tag)?.[1];
  const ownTag = entityTag({ json: body, version: known === '-' ? undefined : known });
  return { ...result, headers: { ...headers, ETag: ownTag }, body };
}
