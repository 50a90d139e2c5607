import { readFileSync } from 'node:fs';
import { expectShown, runSteps, stepsOf } from './run-page.ts';

const page = readFileSync(new URL('../../docs/guide/writing.md', import.meta.url), 'utf8');

/** Creates an order with an id of its own, so it runs once for each database. */
test('the commands of the page about writing run, and print what the page shows', async () => {
  const steps = stepsOf(page);
  expect(steps.length).toBeGreaterThanOrEqual(10);
  const outputs = await runSteps(steps);
  expectShown(steps, outputs);
  expect(outputs.filter((output) => output.startsWith('{"error"') && !page.includes(output))).toEqual([]);
});
