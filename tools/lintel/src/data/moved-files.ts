import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, openAsBlob, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../command-error.ts';
import { sendToServer } from '../history/ask-server.ts';
import type { ServerOptions } from '../login/login.command.ts';

/** The folder of the contents: each has the name of its digest. */
export const CONTENTS = 'files';

/** A value of the files: the SHA-256 of its content, its type in URL encoding, and the name that it has for users. */
const MOVED = /^([0-9a-f]{64})\/((?:[\w.-]|%[23][0-9A-F])*)\/(.*)$/s;

const nameOf = (reference: string): string => new URLSearchParams(reference.split('?')[1]).get('name') ?? '';

async function digestOf(source: Readable, target?: string): Promise<string> {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, target === undefined ? undefined : chunk);
    },
  });
  if (target === undefined) await pipeline(source, through.resume());
  else await pipeline(source, through, createWriteStream(target));
  return hash.digest('hex');
}

interface Content {
  readonly bytes: Readable;
  readonly type: string;
}

async function contentOf(options: ServerOptions, reference: string): Promise<Content | undefined> {
  const response = await sendToServer(options, { path: `/files?fileRef=${encodeURIComponent(reference)}` });
  if (response.ok) {
    const body = (response.body ?? new Blob([]).stream()) as Parameters<typeof Readable.fromWeb>[0];
    return { bytes: Readable.fromWeb(body), type: response.headers.get('content-type') ?? '' };
  }
  await response.body?.cancel();
  if (response.status === 404 || response.status === 400) return undefined;
  throw new CommandError(`The file ${reference} is refused: ${response.status}`, 'Downloads need a permission');
}

/**
 * Stores the content of a file in the folder.
 *
 * @returns the value that stands for it in the rows
 * @throws CommandError for a file that is missing or refused
 */
export async function takeFile(options: ServerOptions, folder: string, reference: string): Promise<string> {
  const content = await contentOf(options, reference);
  if (content === undefined) throw new CommandError(`The file ${reference} is missing`, 'Remove the reference to it');
  const contents = join(folder, CONTENTS);
  mkdirSync(contents, { recursive: true });
  const part = join(contents, '.part');
  const digest = await digestOf(content.bytes, part);
  renameSync(part, join(contents, digest));
  return `${digest}/${encodeURIComponent(content.type)}/${nameOf(reference)}`;
}

/**
 * Returns the reference of a file at the server: one of its instance with the same name and content, else of a new file.
 *
 * @param where the attribute, for errors
 * @param known reads the references of the instance
 * @param isDry uploads nothing: undefined for a new file
 * @throws CommandError for a value that no export has written, and for a content that has another digest
 */
export async function bringFile(
  options: ServerOptions,
  folder: string,
  { value, where }: { readonly value: string; readonly where: string },
  known: () => Promise<readonly string[]>,
  { isDry }: { readonly isDry: boolean },
): Promise<string | undefined> {
  const [, digest = '', type = '', name = ''] = MOVED.exec(value) ?? [];
  const path = join(folder, CONTENTS, digest);
  if (digest === '' || !existsSync(path))
    throw new CommandError(`${where}: there is no file for ${JSON.stringify(value)}`, 'An export writes the files');
  if ((await digestOf(createReadStream(path))) !== digest)
    throw new CommandError(`${where}: ${digest} is not the file that was exported`, 'Export it again');
  for (const reference of await known()) {
    if (nameOf(reference) !== name) continue;
    const content = await contentOf(options, reference);
    if (content !== undefined && (await digestOf(content.bytes)) === digest) return reference;
  }
  if (isDry) return undefined;
  const response = await sendToServer(options, {
    method: 'POST',
    path: `/files?name=${encodeURIComponent(name)}`,
    headers: { 'content-type': decodeURIComponent(type) || 'application/octet-stream' },
    body: await openAsBlob(path),
  });
  if (response.status !== 201)
    throw new CommandError(`${where}: the file is refused: ${await response.text()}`, 'Uploads need a permission');
  return ((await response.json()) as { readonly fileRef: string }).fileRef;
}
