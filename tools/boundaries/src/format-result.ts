import type { CheckResult } from './check-boundaries.ts';

/** The problems as text: file, line and fact, then the rule with its reason. Empty if there are none. */
export function formatResult({ violations, unusedExceptions }: CheckResult): string {
  const problems = [
    ...violations.map(
      ({ file, line, what, rule }) =>
        `${file}:${line} ${what}\n    ${rule.id}: ${rule.statement}, because ${rule.because}.\n`,
    ),
    ...unusedExceptions.map(
      ({ rule, path, reason }) =>
        `tools/boundaries/src/exceptions.ts:1 excuses nothing any longer: ${rule} in ${path}\n    It said: ${reason}. Remove it.\n`,
    ),
  ];
  return problems.join('\n');
}
