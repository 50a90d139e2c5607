import { type BaselineFinding, baselineMigrations } from '@lintel/schema';
import type { CommandContext, CommandResult } from './command-context.ts';
import { describeFinding } from './drift.ts';
import type { Command } from './parse-arguments.ts';

/** Records the migrations as run, if the tables are those that they create. Otherwise names every difference. */
export async function baseline(
  { dryRun, to }: Command & { readonly kind: 'baseline' },
  { application, url }: CommandContext,
): Promise<CommandResult> {
  const { sql, ...result } = await baselineMigrations({
    url,
    model: application.model,
    migrations: application.migrations ?? [],
    dryRun,
    ...(to === undefined ? {} : { to }),
  });
  const { fits, findings, names, renames } = result;
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const found = findings.flatMap(linesOf);
  if (!fits) {
    const count = `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
    const end = `The tables are not those that the migrations create: ${count}. Nothing was recorded.`;
    return { exitCode: 1, lines: [...found, end], json: result };
  }
  const end = `recorded ${names.join(', ')}; ${renames.length} constraints and indexes renamed.`;
  const done = dryRun ? [...found.map((line) => `-- ${line}`), sql.trimEnd()] : [...found, end];
  return { exitCode: 0, lines: done, json: dryRun ? { ...result, sql } : result };
}

const linesOf = (finding: BaselineFinding): readonly string[] => [
  describeFinding(finding),
  ...finding.proposal.map((statement) => `  ${statement};`),
];
