import { dataLossesOf, type SchemaMigration } from '@lintel/schema';

/** Maximum line width of the formatter. */
const LINE_WIDTH = 120;

/** Name of the constant in a migration's file. */
export const constantOf = (name: string): string => `migration${name.slice(0, name.indexOf('-'))}`;

/** The text between the outermost parentheses of `CREATE TABLE … (…)`, split at its top-level commas. */
function splitColumns(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, list.slice(from).trim()];
}

/** Formats a table with one column per line; other statements are unchanged. */
function layOut(statement: string): string {
  const match = /^(CREATE TABLE \S+) \((.*)\)$/s.exec(statement);
  if (match?.[1] === undefined || match[2] === undefined) return statement;
  return `${match[1]} (\n  ${splitColumns(match[2]).join(',\n  ')}\n)`;
}

/** A statement as a literal, quoted as the formatter does. */
function literal(statement: string): string {
  const text = layOut(statement);
  if (text.includes('\n'))
    return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  const quote = singles > doubles ? '"' : "'";
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}

/** Whether a loss is of what somebody has written, not of data. */
export const isByHand = (loss: string): boolean => dataLossesOf([loss]).length === 0;

function list(member: string, statements: readonly string[], losses: readonly string[] = []): string {
  const literals = statements.map((each) => {
    const remark = isByHand(each) ? 'Written by hand' : 'Loses data';
    return `${losses.includes(each) ? `// ${remark}:\n    ` : ''}${literal(each)}`;
  });
  const line = `  ${member}: [${literals.join(', ')}],`;
  if (line.length <= LINE_WIDTH && !line.includes('\n')) return line;
  return `  ${member}: [\n${literals.map((each) => `    ${each},\n`).join('')}  ],`;
}

/** The file of one migration. */
export const formatMigration = (
  migration: SchemaMigration & { readonly losses?: readonly string[] },
): string => `import { defineMigration } from '@lintel/application';

export const ${constantOf(migration.name)} = defineMigration({
  name: '${migration.name}',
${list('up', migration.up, migration.losses)}
${dataLossesOf(migration.down, migration.up).length === 0 ? '' : `  // Loses data: "revert" does it with --allow-data-loss only.\n`}${list('down', migration.down)}
});
`;

/** The file that lists all migrations of an application, in the order they run. */
export function formatMigrationList(names: readonly string[]): string {
  const sorted = [...names].sort();
  const imports = sorted.map((name) => `import { ${constantOf(name)} } from './${name}.ts';\n`).join('');
  const entries = sorted.map(constantOf);
  const line = `export const MIGRATIONS: readonly Migration[] = [${entries.join(', ')}];`;
  const body =
    line.length <= LINE_WIDTH
      ? line
      : `export const MIGRATIONS: readonly Migration[] = [\n${entries.map((entry) => `  ${entry},\n`).join('')}];`;
  return `import type { Migration } from '@lintel/application';
${imports}
/** In the order of their names; \`lintel migrate generate\` adds to this list. */
${body}
`;
}
