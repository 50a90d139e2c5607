import { hash } from 'node:crypto';
import { once } from 'node:events';
import { sendJsonText } from '@lintel/http';
import type { Request, Response } from 'express';
import type { ReadAnswer } from './read-entities.ts';
import type { Instance } from './read-line.ts';

/** Last stage: status, headers and body of an answer. The JSON of the rows is sent as it is. */
export async function respondRead(request: Request, response: Response, answer: ReadAnswer): Promise<void> {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization, Accept-Language');
  switch (answer.kind) {
    case 'instance':
      respondInstance(request, response, answer);
      return;
    case 'count':
      sendJsonText(response, String(answer.total));
      return;
    case 'list':
      setTotal(response, answer.total);
      sendJsonText(response, `[${answer.rows.join(',')}]`);
      return;
    case 'stream':
      setTotal(response, answer.total);
      await sendBatches(response, answer.batches);
      return;
    default:
      answer satisfies never;
  }
}

/** `"<version>.<hash of the body>"`; `-` where the entity has no version (decisions.md 54). */
export const entityTag = ({ json, version }: Instance): string =>
  `"${version ?? '-'}.${hash('sha256', json, 'base64url').slice(0, 22)}"`;

function respondInstance(request: Request, response: Response, instance: Instance): void {
  const tag = entityTag(instance);
  response.setHeader('ETag', tag);
  if (matches(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  sendJsonText(response, instance.json);
}

/** Whether `If-None-Match` names the tag; weak tags count as strong ones (RFC 9110 §13.1.2). */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}

function setTotal(response: Response, total: number | undefined): void {
  if (total !== undefined) response.setHeader('X-Total-Count', String(total));
}

/**
 * Sends a list of unknown length. The head goes out with the first batch, so that an error before it gets
 * an answer of its own; after it, the thrown error destroys the connection and no cut list looks complete.
 */
async function sendBatches(response: Response, batches: AsyncIterable<readonly string[]>): Promise<void> {
  let separator = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    if (separator === '[') response.setHeader('Content-Type', 'application/json');
    await write(response, `${separator}${batch.join(',')}`);
    separator = ',';
  }
  if (separator === '[') sendJsonText(response, '[]');
  else response.end(']');
}

/** Waits while the client reads more slowly than the database answers. */
export async function write(response: Response, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  const closed = new AbortController();
  const onClose = (): void => closed.abort();
  response.once('close', onClose);
  try {
    await once(response, 'drain', { signal: closed.signal });
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  } finally {
    response.off('close', onClose);
  }
}
