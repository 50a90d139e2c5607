import type { EventEmitter } from 'node:events';
import type { BusboyInstance } from '@fastify/busboy';

/** An internal member of the form parser, which its own tests use, too. */
interface WithPartParser {
  readonly _parser: { readonly parser: EventEmitter<{ part: [EventEmitter<{ header: [PartHeaders] }>] }> };
}

type PartHeaders = Readonly<Record<string, readonly string[]>>;

/**
 * The `Content-Type` of the current part, as it was sent. The parser itself drops its parameters, and reports a part
 * without one as `text/plain`.
 *
 * @returns a function for listeners of `file`
 */
export function followPartTypes(parser: BusboyInstance): () => string | undefined {
  let sent: string | undefined;
  const { parser: parts } = (parser as BusboyInstance & WithPartParser)._parser;
  // Must run before the listener of the parser, which emits `file`.
  parts.prependListener('part', (part) => {
    sent = undefined;
    part.once('header', (headers) => {
      sent = headers['content-type']?.[0];
    });
  });
  return () => sent;
}
