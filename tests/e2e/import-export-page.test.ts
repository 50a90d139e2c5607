import { readFileSync } from 'node:fs';
import { expectShown, runSteps, stepsOf } from './run-page.ts';

const page = readFileSync(new URL('../../docs/guide/import-export.md', import.meta.url), 'utf8');

test('the commands of the page about import and export run, and print what the page shows', async () => {
  const steps = stepsOf(page);
  expect(steps.length).toBeGreaterThanOrEqual(2);
  expectShown(steps, await runSteps(steps));
});
