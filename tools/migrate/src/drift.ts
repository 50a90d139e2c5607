import { type DriftFinding, detectDrift } from '@lintel/schema';
import type { Answer, CommandContext } from './command-context.ts';

/** Compares the running database with the model. With `strict`, what is there in addition counts, too. */
export async function drift(strict: boolean, { application, url }: CommandContext): Promise<Answer> {
  const migrations = application.migrations ?? [];
  const report = await detectDrift({ url, model: application.model, migrations });
  const fits = report.fits && (!strict || (report.findings.length === 0 && report.migrations.length === 0));
  const problems = [
    ...report.migrations.filter(({ state }) => strict || state !== 'unknown'),
    ...report.findings.filter(({ severity }) => strict || severity === 'problem'),
  ].length;
  const lines = [
    ...report.migrations.map(({ name, state }) => `${state.padEnd(9)} migration ${name}`),
    ...report.findings.map(sentenceOf),
    fits
      ? 'The database fits the model.'
      : `The database does not fit the model: ${problems} ${problems === 1 ? 'problem' : 'problems'}.`,
  ];
  return { exitCode: fits ? 0 : 1, lines, json: { ...report, fits } };
}

function sentenceOf({ kind, severity, object, table, name, aspect, expected, actual }: DriftFinding): string {
  const place = `${kind.padEnd(9)} ${object} ${name === undefined ? table : `${table}.${name}`}`;
  if (kind === 'different') return `${place}: ${aspect} is ${actual}, expected ${expected}`;
  const what = actual ?? expected;
  return `${place}${what === undefined ? '' : ` (${what})`}${severity === 'notice' ? ': in nobody’s way' : ''}`;
}
