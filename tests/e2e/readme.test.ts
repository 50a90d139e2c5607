import { readFileSync } from 'node:fs';
import { expectShown, runSteps, stepsOf } from './run-page.ts';

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const tour = page.slice(page.indexOf('## Ten minutes'), page.indexOf('## Your own application'));

/** Needs demo data that nothing has changed: `npm test` runs it before the other tests of a system. */
test('the commands of the README run, and print what the page shows', async () => {
  const steps = stepsOf(tour);
  expect(steps.length).toBeGreaterThanOrEqual(8);
  expectShown(steps, await runSteps(steps));
});
