import { createAsyncDocument } from '@lintel/openapi';
import { loadWholeApplication } from '../load-whole-application.ts';
import { printDocument } from '../openapi/print-document.ts';
import type { Terminal } from '../terminal.ts';
import type { AsyncApiOptions } from './asyncapi.command.ts';

/** Writes the document to a file or to standard output. */
export async function writeAsyncApi(options: AsyncApiOptions, terminal: Terminal): Promise<void> {
  const text = await terminal.during('Writing the document', async () => {
    const { application } = await loadWholeApplication(options);
    return `${JSON.stringify(createAsyncDocument(application), undefined, 2)}\n`;
  });
  printDocument(text, options, terminal);
}
