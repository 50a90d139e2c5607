import { environment as processEnvironment } from '@lintel/config/environment';
import type { ApplicationOptions } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import type { Check, CheckResult } from './check.ts';
import { planChecks } from './plan-checks.ts';

const SYMBOLS: Readonly<Record<CheckResult['status'], string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };

/** Checks the installation that the configuration describes. Returns 1 where something that is needed is missing. */
export async function doctor(
  options: ApplicationOptions,
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>> = processEnvironment(),
): Promise<ExitCode> {
  const { mode, checks, close } = planChecks(options, environment, terminal);
  let results: readonly CheckResult[];
  try {
    results = await terminal.through('Checking', checks.length, (advance) => runAll(checks, advance));
  } finally {
    await close();
  }
  const failures = results.filter(({ status }) => status === 'failed');
  if (options.json === true)
    terminal.print(JSON.stringify({ ok: failures.length === 0, mode, checks: results }, null, 2));
  else {
    terminal.print(table(results));
    terminal.print(
      failures.length === 0 ? '\nAll is well.' : `\n${failures.length} of ${results.length} checks failed.`,
    );
  }
  return failures.length === 0 ? 0 : 1;
}

/** One after the other: later ones use what earlier ones have loaded. */
async function runAll(checks: readonly Check[], advance: (step: string) => void): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { id, title, run } of checks) {
    results.push({ id, title, ...(await run()) });
    advance(title);
  }
  return results;
}

function table(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ title }) => title.length));
  return results
    .flatMap(({ status, title, detail, remedy }) => [
      `${SYMBOLS[status]} ${title.padEnd(width)}  ${detail.trim().replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`,
      ...(remedy === undefined ? [] : [`${' '.repeat(width + 4)}→ ${remedy}`]),
    ])
    .join('\n');
}
