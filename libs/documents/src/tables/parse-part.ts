import { Parser } from 'htmlparser2';
import { OoxmlError } from '../rendering/ooxml/ooxml-package.ts';
import type { PackageEntries } from '../rendering/ooxml/read-package.ts';

/** Receiver of the elements of a part; names are without their namespace. */
export interface PartHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements inside of each other; the parser takes quadratic time for many. */
const MAX_DEPTH = 100;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses a part piece by piece; nothing of it stays in memory. Entities of a document type are not resolved.
 *
 * @returns an iterator that yields after each piece
 * @throws OoxmlError for a part that is missing or is not well-formed
 */
export async function* parsePart(
  { archive, entries }: PackageEntries,
  name: string,
  handler: PartHandler,
): AsyncGenerator<void> {
  const entry = entries.get(name);
  if (entry === undefined) throw new OoxmlError(`the file has no part ${name}`);
  const broken = (cause?: unknown) => new OoxmlError(`the part ${name} is no well-formed XML`, { cause });
  let opened: string | undefined;
  let isEnding = false;
  let isEmpty = true;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(element, attributes) {
        opened = element;
        isEmpty = false;
        depth += 1;
        if (depth > MAX_DEPTH) throw new OoxmlError(`the part ${name} has elements that are nested too deeply`);
        handler.open(localName(element), attributes);
      },
      ontext(text) {
        opened = undefined;
        handler.text?.(text);
      },
      onclosetag(element, isImplied) {
        // An element without content is closed by its own tag.
        if (isImplied && (isEnding || opened !== element)) throw broken();
        opened = undefined;
        depth -= 1;
        handler.close?.(localName(element));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      parser.write(decoder.decode(piece as Uint8Array, { stream: true }));
      yield;
    }
    isEnding = true;
    parser.end(decoder.decode());
  } catch (error) {
    throw error instanceof OoxmlError ? error : broken(error);
  }
  if (isEmpty) throw broken();
}
