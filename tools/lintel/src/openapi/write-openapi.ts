import { readFileSync } from 'node:fs';
import { createDocuments } from '@lintel/openapi';
import { CommandError } from '../command-error.ts';
import { loadWholeApplication } from '../load-whole-application.ts';
import { messageOf, rootCauseOf } from '../message-of.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenApiOptions } from './openapi.command.ts';
import { printDocument } from './print-document.ts';

/** Writes the document to a file or to standard output. */
export async function writeOpenApi(options: OpenApiOptions, terminal: Terminal): Promise<void> {
  const text = await terminal.during('Writing the document', () =>
    options.from === undefined ? documentOf(options) : documentFrom(options.from, options),
  );
  if (options.from !== undefined && options.tokenFile === undefined && options.generic !== true)
    terminal.note('The document has only what needs no token; --token-file names the file with one.');
  printDocument(text, options, terminal);
}

/** The same text that the data service serves for a model without dynamic attributes, outside of demo mode. */
async function documentOf(options: OpenApiOptions): Promise<string> {
  const { application, paths } = await loadWholeApplication(options);
  const documents = createDocuments(
    { application, paths, isDemo: false },
    application.model,
    application.messages,
    options.locale ?? 'en',
  );
  const texts = documents[options.generic === true ? 'openapi' : 'openapiDetailed'];
  return (await texts[options.openapi][options.format]()).text;
}

async function documentFrom(
  url: string,
  { generic, format, openapi, locale, tokenFile }: OpenApiOptions,
): Promise<string> {
  const address = `${url.replace(/\/$/, '')}/rest/docs/${generic === true ? 'openapi' : 'openapiDetailed'}.${format}?openapi=${openapi}`;
  const response = await fetch(address, {
    headers: {
      ...(tokenFile !== undefined && { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` }),
      ...(locale !== undefined && { 'accept-language': locale }),
    },
  }).catch((error: unknown) => {
    throw new CommandError(`${address} cannot be reached (${messageOf(rootCauseOf(error))})`, 'Check --from');
  });
  if (response.status === 401)
    throw new CommandError(
      `${address} asks for a token`,
      'Put an access token into a file and name it by --token-file',
    );
  if (!response.ok) throw new CommandError(`${address} returns ${response.status}`, 'Check --from');
  return response.text();
}
