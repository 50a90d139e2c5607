import { readFileSync } from 'node:fs';

const FILE = 'expected-counts.json';
const EXPECTED = JSON.parse(readFileSync(new URL(FILE, import.meta.url), 'utf8')).stages;

/**
 * Finds lost tests: each stage of `expected-counts.json` has at least as many as there. Skipped tests do not count.
 *
 * @param {readonly { title: string, passed: number, failed: number }[]} results
 * @param {Readonly<Record<string, number>>} [expected]
 * @returns {readonly string[]} a line for each stage with fewer tests
 */
export function fewerThanExpected(results, expected = EXPECTED) {
  return Object.entries(expected).flatMap(([title, count]) => {
    const { passed, failed } = results.find((result) => result.title === title) ?? { passed: 0, failed: 0 };
    if (passed + failed >= count) return [];
    return `${title}: ${passed + failed} tests, where tools/test/${FILE} expects ${count}. Lower the number with a line that says why, or restore the tests`;
  });
}
