import type { Request, Response } from 'express';
import { matchesEntityTag } from './matches-entity-tag.ts';
import type { TaggedText } from './tagged-text.ts';

/** Responds with the text, or with 304 if the client has it. */
export function respondTagged(
  request: Request,
  response: Response,
  { text, tag }: TaggedText,
  contentType = 'application/json',
): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization, Accept-Language');
  response.setHeader('ETag', tag);
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
