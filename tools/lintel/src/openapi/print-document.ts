import { writeFileSync } from 'node:fs';
import type { Terminal } from '../terminal.ts';

/** Writes a document to the file that is named, without one to standard output. */
export function printDocument(
  text: string,
  { output, json }: { readonly output?: string; readonly json?: boolean },
  terminal: Terminal,
): void {
  if (output === undefined) {
    terminal.print(text.trimEnd());
    return;
  }
  writeFileSync(output, text);
  const bytes = Buffer.byteLength(text);
  if (json === true) terminal.print(JSON.stringify({ file: output, bytes }));
  else terminal.print(`Wrote ${output} (${Math.ceil(bytes / 1024)} KB).`);
}
