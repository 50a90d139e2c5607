import { compareWithModel } from '@lintel/schema';
import type { CommandContext, CommandResult } from '../command-context.ts';
import { splitIndexes } from './split-indexes.ts';
import { writeMigration } from './write-migration.ts';

/**
 * Writes the next migration, and a second one for new indexes of existing tables, which are created concurrently,
 * outside of a transaction.
 */
export async function generate(words: string, folder: string, context: CommandContext): Promise<CommandResult> {
  const { application, url } = context;
  const migrations = application.migrations ?? [];
  const difference = await compareWithModel({ url, model: application.model, migrations });
  const { main, indexes } = splitIndexes(difference);
  const time = context.now().getTime();
  const steps = [
    { name: `${time}-${words}`, ...main },
    { name: `${time + 1}-${words}-indexes`, ...indexes },
  ].filter(({ up }) => up.length > 0);
  if (steps.length === 0) {
    const line = 'Nothing to do: the migrations make exactly the schema of the model.';
    return { exitCode: 0, lines: [line], json: { written: [], warnings: [] } };
  }
  const written: string[] = [];
  for (const step of steps) written.push(await writeMigration(folder, step));
  const lines = written.map(
    (path, index) => `wrote ${path} (${steps[index]?.up.length} statements); read it before you commit it`,
  );
  const { warnings } = difference;
  return {
    exitCode: 0,
    lines: [...lines, ...warnings.map((warning) => `warning: ${warning}`)],
    json: { written, warnings },
  };
}
