import type { JsonVersion } from '@lintel/application';
import { entityTag } from '../entities/entity-tag.ts';
import type { ReadAnswer } from '../entities/read-entities.ts';
import type { HttpAnswer } from '../entities/write/tell-saved.ts';
import { clientJson } from './client-version.ts';

/** What the read line answers, in the JSON that the client knows. */
export function clientReadAnswer(version: JsonVersion | undefined, entityName: string, answer: ReadAnswer): ReadAnswer {
  if (version === undefined) return answer;
  const convert = (json: string): string => clientJson(version, entityName, json);
  switch (answer.kind) {
    case 'instance':
      return { ...answer, json: convert(answer.json) };
    case 'list':
      return { ...answer, rows: answer.rows.map(convert) };
    case 'stream':
      return { ...answer, batches: convertBatches(answer.batches, convert) };
    default:
      return answer;
  }
}

async function* convertBatches(
  batches: AsyncIterable<readonly string[]>,
  convert: (json: string) => string,
): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) yield rows.map(convert);
}

/** What a write answers, in the JSON that the client knows; the tag is the one of that body. */
export function clientWriteAnswer(
  version: JsonVersion | undefined,
  entityName: string,
  answer: HttpAnswer,
): HttpAnswer {
  if (version === undefined || answer.body === '') return answer;
  const body = clientJson(version, entityName, answer.body);
  const { ETag: tag, ...headers } = answer.headers;
  if (tag === undefined) return { ...answer, body };
  const known = /^"([^.]*)\./.exec(tag)?.[1];
  const ownTag = entityTag({ json: body, version: known === '-' ? undefined : known });
  return { ...answer, headers: { ...headers, ETag: ownTag }, body };
}
