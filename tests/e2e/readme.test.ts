import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { baseUrl } from '../contract/api.ts';

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const tour = page.slice(page.indexOf('## Ten minutes'), page.indexOf('## Your own application'));

interface Step {
  readonly commands: string;
  /** Output that the page shows, where it shows one. */
  readonly shown: string | undefined;
}

const steps: readonly Step[] = [
  ...tour.matchAll(/```sh\n([\s\S]*?)```(?:\s*```(?:json|text|csv)\n([\s\S]*?)```)?/g),
].map(([, commands = '', shown]) => ({ commands, shown }));

const bash = promisify(execFile);

/** Runs all commands in one shell, as a reader would, and returns the output of each step. */
async function run(): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => `${commands}\nprintf '\\036'`).join('\n');
  const { stdout } = await bash('bash', [
    '-euo',
    'pipefail',
    '-c',
    script.replaceAll('http://localhost:8080', baseUrl),
  ]);
  return stdout.split('\u001e').slice(0, steps.length);
}

/** Needs demo data that nothing has changed: `npm test` runs it before the other tests of a system. */
test('the commands of the README run, and print what the page shows', async () => {
  expect(steps.length).toBeGreaterThanOrEqual(8);
  const outputs = await run();
  for (const [index, { shown }] of steps.entries()) {
    const output = outputs[index] ?? '';
    expect(output).not.toContain('"error":"Server error"');
    if (shown === undefined) continue;
    // Of a table the page shows the first lines.
    const lines = shown.trimEnd().split('\n');
    expect(output.trimEnd().split('\n').slice(0, lines.length)).toEqual(lines);
  }
});
