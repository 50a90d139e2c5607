import { matchesEntityTag, sendJsonText } from '@lintel/http';
import type { Request, Response } from 'express';
import type { TaggedText } from './create-metadata-texts.ts';

/** The text, or 304 for a client that has it. */
export function respondTagged(request: Request, response: Response, { json, tag }: TaggedText): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization, Accept-Language');
  response.setHeader('ETag', tag);
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  sendJsonText(response, json);
}
