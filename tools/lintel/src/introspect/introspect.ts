import { relative, resolve } from 'node:path';
import { isStartError } from '@lintel/errors';
import { type DatabaseSchema, type FoundTable, readDatabaseSchema } from '@lintel/schema';
import { configuredDatabaseUrl, withDatabase } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { problemOfId } from '../init/application-names.ts';
import { writeFiles } from '../init/write-files.ts';
import { messageOf, rootCauseOf } from '../message-of.ts';
import type { Terminal } from '../terminal.ts';
import type { IntrospectOptions } from './introspect.command.ts';
import { type ModelPlan, tableName } from './plan/model-plan.ts';
import { planModel } from './plan/plan-model.ts';
import { sentenceOf, writeModel } from './write-model.ts';

/**
 * Writes entities for the tables of one or several schemas. Reads the catalogue only.
 *
 * @throws CommandError naming what is wrong with the options, the database or the folder; nothing is written then
 */
export async function introspect(options: IntrospectOptions, terminal: Terminal): Promise<void> {
  const plan = await planOf(options, terminal);
  const files = writeModel(plan);
  const folder = resolve(options.out);
  const written = options.dryRun === true ? [] : writeFiles(folder, files, options.force ?? false);
  if (options.json === true) {
    const { findings } = plan;
    const entities = plan.entities.map(({ name, source }) => ({ entity: name, table: tableName(source) }));
    const texts = options.dryRun === true ? { files: Object.fromEntries(files) } : {};
    terminal.print(JSON.stringify({ folder, written, entities, findings, ...texts }));
    return;
  }
  if (options.dryRun === true) for (const [name, text] of files) terminal.print(`// ${name}\n${text}`);
  else terminal.print(`wrote ${written.length} files to ${relative(process.cwd(), folder) || '.'}: ${countOf(plan)}`);
  report(plan, terminal);
}

/**
 * Reads the catalogue, and plans the entities of the tables.
 *
 * @throws CommandError naming what is wrong with the options or the database, or that no table can be an entity
 */
export async function planOf(
  options: Pick<IntrospectOptions, 'url' | 'schema' | 'tables' | 'prefix' | 'owned'>,
  terminal: Terminal,
): Promise<ModelPlan> {
  const [first = ''] = listOf(options.schema);
  const prefix = options.prefix ?? (first === 'public' ? 'app' : first);
  const problem = problemOfId(prefix);
  if (problem !== undefined) throw new CommandError(problem, 'Give another one with --prefix');
  const plan = planModel(await tablesOf(options, terminal), prefix, { owned: options.owned ?? false });
  if (plan.entities.length > 0) return plan;
  throw new CommandError(
    `No table of the schema ${options.schema} can be an entity`,
    plan.findings.length === 0 ? 'Name another schema' : plan.findings.map((finding) => sentenceOf(finding)).join('; '),
  );
}

/**
 * The chosen tables of the database.
 *
 * @throws CommandError naming what is wrong with the options or the database
 */
export async function tablesOf(
  options: Pick<IntrospectOptions, 'url' | 'schema' | 'tables'>,
  terminal: Terminal,
): Promise<DatabaseSchema['tables']> {
  const databaseUrl = configuredDatabaseUrl(options);
  const schemas = await withDatabase({ databaseUrl }, terminal, (url) =>
    Promise.all(listOf(options.schema).map((schema) => read(url, schema))),
  );
  return chosen(
    schemas.flatMap(({ tables }) => tables),
    options,
  );
}

async function read(url: string, schema: string): Promise<DatabaseSchema> {
  try {
    return await readDatabaseSchema({ url, schema });
  } catch (error) {
    if (isStartError(error)) throw error;
    throw new CommandError(
      `The database cannot be read: ${messageOf(rootCauseOf(error))}`,
      'Check --url or SVC_DATASOURCE_URL',
      { cause: error },
    );
  }
}

function chosen(
  tables: DatabaseSchema['tables'],
  { tables: names, schema }: Pick<IntrospectOptions, 'schema' | 'tables'>,
): DatabaseSchema['tables'] {
  if (names === undefined) return tables;
  const wanted = listOf(names);
  const isNamed = (name: string, table: FoundTable): boolean => name === table.name || name === tableName(table);
  const missing = wanted.filter((name) => !tables.some((table) => isNamed(name, table)));
  if (missing.length > 0)
    throw new CommandError(
      `The schema ${schema} has no table ${missing.join(', ')}`,
      `It has ${tables.map(({ name }) => name).join(', ') || 'none'}`,
    );
  return tables.filter((table) => wanted.some((name) => isNamed(name, table)));
}

/** Names with commas between them, once each. */
const listOf = (names: string): readonly string[] => [
  ...new Set(
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

const countOf = ({ entities, enums }: ModelPlan): string => `${entities.length} entities, ${enums.length} enums`;

/** What the model cannot express is always printed. */
function report({ findings }: ModelPlan, terminal: Terminal): void {
  if (findings.length > 0) terminal.note(`Not said by the model, or to be looked at (${findings.length}):`);
  for (const finding of findings) terminal.note(`  ${sentenceOf(finding)}`);
  terminal.note(
    'Give ENTITIES and ENUMS to defineApplication, then compare: lintel migrate drift. Rights, rules and captions are yours to add.',
  );
}
