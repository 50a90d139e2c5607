import { type DriftFinding, detectDrift } from '@lintel/schema';
import type { CommandContext, CommandResult } from './command-context.ts';

/** Compares the running database with the model. With `strict`, additional objects that are not kept are problems, too. */
export async function drift(strict: boolean, { application, url }: CommandContext): Promise<CommandResult> {
  const migrations = application.migrations ?? [];
  const report = await detectDrift({ url, model: application.model, migrations });
  const unkept = report.findings.filter(({ kind }) => kind !== 'kept');
  const fits = report.fits && (!strict || (unkept.length === 0 && report.migrations.length === 0));
  const problems = [
    ...report.migrations.filter(({ state }) => strict || state !== 'unknown'),
    ...unkept.filter(({ severity }) => strict || severity === 'problem'),
  ].length;
  const lines = [
    ...report.migrations.map(({ name, state }) => `${state.padEnd(9)} migration ${name}`),
    ...(report.lacksPlatform === true ? ['missing   tables of the platform, which "lintel migrate run" makes'] : []),
    ...report.findings.map(describeFinding),
    fits
      ? 'The database fits the model.'
      : `The database does not fit the model: ${problems} ${problems === 1 ? 'problem' : 'problems'}.`,
  ];
  return { exitCode: fits ? 0 : 1, lines, json: { ...report, fits } };
}

/** One line. */
export function describeFinding({
  kind,
  severity,
  object,
  table,
  name,
  aspect,
  expected,
  actual,
}: DriftFinding): string {
  const location = `${kind.padEnd(9)} ${object} ${name === undefined ? table : `${table}.${name}`}`;
  if (kind === 'different') return `${location}: ${aspect} is ${actual}, expected ${expected}`;
  const what = actual ?? expected;
  const end = severity === 'notice' && kind !== 'kept' ? ': no conflict' : '';
  return `${location}${what === undefined ? '' : ` (${what})`}${end}`;
}
