import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseUrl } from '../contract/api.ts';

/** A block of commands on a page. */
export interface PageStep {
  readonly commands: string;
  /** Output that the page shows, where it shows one. */
  readonly shown: string | undefined;
}

/** The blocks of commands of a page, each with the output that follows it. */
export const stepsOf = (page: string): readonly PageStep[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```(?:\s*```(?:json|text|csv)\n([\s\S]*?)```)?/g)].map(
    ([, commands = '', shown]) => ({ commands, shown }),
  );

const bash = promisify(execFile);

/** Runs all commands in one shell, as a reader would, and returns the output of each step. */
export async function runSteps(steps: readonly PageStep[]): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => `${commands}\nprintf '\\036'`).join('\n');
  const { stdout } = await bash('bash', [
    '-euo',
    'pipefail',
    '-c',
    script.replaceAll('http://localhost:8080', baseUrl),
  ]);
  return stdout.split('\u001e').slice(0, steps.length);
}

/** Compares each output with what the page shows: of a table it shows the first lines. */
export function expectShown(steps: readonly PageStep[], outputs: readonly string[]): void {
  for (const [index, { shown }] of steps.entries()) {
    const output = outputs[index] ?? '';
    expect(output).not.toContain('"error":"Server error"');
    if (shown === undefined) continue;
    const lines = shown.trimEnd().split('\n');
    expect(output.trimEnd().split('\n').slice(0, lines.length)).toEqual(lines);
  }
}
