import { compareWithModel, isOfColumn, type Rename, type SchemaDifference } from '@lintel/schema';
import type { CommandContext, CommandResult } from '../command-context.ts';
import type { Command } from '../parse-arguments.ts';
import { isByHand } from './format-migration.ts';
import { splitIndexes } from './split-indexes.ts';
import { writeMigration } from './write-migration.ts';

/**
 * Writes the next migration, and separate ones for new indexes of existing tables, which are created concurrently, outside
 * of a transaction, and for the validation of new checks. Writes nothing if a statement loses data and the command does not allow it.
 */
export async function generate(
  command: Command & { readonly kind: 'generate' },
  folder: string,
  context: CommandContext,
): Promise<CommandResult> {
  const difference = await compareAndAsk(command, context);
  const { main, indexes, validation } = splitIndexes(difference);
  const { taken } = difference;
  const time = context.now().getTime();
  const { losses, notMade } = difference;
  const warnings = [...difference.warnings, ...notMade.map(sentenceOfNotMade)];
  const steps = [
    { ...taken, suffix: '', losses: [] },
    { ...main, suffix: taken.up.length === 0 ? '' : '-changes', losses },
    { ...indexes, suffix: '-indexes', losses: [] },
    { ...validation, suffix: '-validation', losses: [] },
  ]
    .filter(({ up }) => up.length > 0)
    .map(({ suffix, ...step }, at) => ({ ...step, name: `${time + at}-${command.name}${suffix}` }));
  if (steps.length === 0) {
    const line = 'Nothing to do: the migrations make exactly the schema of the model.';
    return { exitCode: 0, lines: [line], json: { written: [], warnings: [] } };
  }
  if (losses.length > 0 && !command.allowDataLoss) return refusal(difference);
  const written: string[] = [];
  for (const step of steps) written.push(await writeMigration(folder, step));
  const lines = written.map(
    (path, index) => `wrote ${path} (${steps[index]?.up.length} statements); read it before you commit it`,
  );
  return {
    exitCode: 0,
    lines: [...lines, ...warnings.map((warning) => `warning: ${warning}`), ...headed(losses)],
    json: { written, warnings, losses },
  };
}

/** Of a table of another owner, in an application that has taken over others. */
export const sentenceOfNotMade = (table: string): string =>
  `${table} belongs to another owner, and no migration makes it: an empty database does not start without it. "generate --with-references" makes its structure where it is missing, or write CREATE TABLE yourself`;

/** Compares again with the renames that the user confirms. */
async function compareAndAsk(
  { renames: given, withReferences }: Command & { readonly kind: 'generate' },
  context: CommandContext,
): Promise<SchemaDifference> {
  const { application, url, ask } = context;
  const { model, migrations = [] } = application;
  const compare = (renames: readonly Rename[]): Promise<SchemaDifference> =>
    compareWithModel({ url, model, migrations, renames, withReferences });
  const renames = [...given];
  const asked = new Set<string>();
  for (;;) {
    const difference = await compare(renames);
    const count = renames.length;
    for (const rename of ask === undefined ? [] : difference.possibleRenames) {
      const question = `${isOfColumn(rename) ? `${rename.table}: ` : ''}is ${rename.to} the former ${formerOf(rename)}, with its values?`;
      if (asked.has(question)) continue;
      asked.add(question);
      if (await ask?.(question)) {
        renames.push(rename);
        break;
      }
    }
    if (renames.length === count) return difference;
  }
}

const formerOf = (rename: Rename): string => (isOfColumn(rename) ? rename.from : rename.table);

const headed = (losses: readonly string[]): readonly string[] => [
  ...section('These statements drop what was written by hand:', losses.filter(isByHand)),
  ...section(
    'These statements lose data:',
    losses.filter((each) => !isByHand(each)),
  ),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((each) => `  ${each}`)];

function refusal({ losses, possibleRenames, warnings }: SchemaDifference): CommandResult {
  const renames = possibleRenames.map((rename) => {
    const { table, to } = rename;
    const former = formerOf(rename);
    return `  --rename ${isOfColumn(rename) ? `${table}.` : ''}${former}=${to}   if ${to} is the former ${former}: its values stay`;
  });
  return {
    exitCode: 1,
    lines: [
      ...headed(losses),
      'Nothing was written. Give one of these options:',
      ...renames,
      `  --allow-data-loss   if the data may be lost`,
    ],
    json: { written: [], warnings, losses, possibleRenames },
  };
}
