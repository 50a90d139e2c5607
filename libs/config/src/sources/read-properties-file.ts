import { readFileSync } from 'node:fs';
import { getProperties } from 'properties-file';
import type { PropertySource } from './property-source.ts';

/** The properties of a file, and the line that each begins at. Throws what reading the file throws. */
export function readPropertiesFile(path: string): PropertySource {
  const values: Record<string, string> = {};
  const lines: Record<string, number> = {};
  for (const { line, text } of logicalLines(readFileSync(path, 'utf8'))) {
    for (const [key, value] of Object.entries(getProperties(text))) {
      values[key] = value;
      lines[key] = line;
    }
  }
  return { label: path, kind: 'file', values, lines };
}

/** Lines with those that continue them, and their numbers from 1. */
function* logicalLines(text: string): Generator<{ readonly line: number; readonly text: string }> {
  let begin = 0;
  let parts: string[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (parts.length === 0) begin = index + 1;
    parts.push(line);
    const isComment = parts.length === 1 && /^\s*[#!]/.test(line);
    const backslashes = /\\*$/.exec(line)?.[0].length ?? 0;
    if (!isComment && backslashes % 2 === 1) continue;
    yield { line: begin, text: parts.join('\n') };
    parts = [];
  }
  if (parts.length > 0) yield { line: begin, text: parts.join('\n') };
}
