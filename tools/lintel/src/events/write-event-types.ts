import type { AsyncDocument } from '@lintel/openapi';
import { memberName } from '../client/type-texts.ts';
import { CommandError } from '../command-error.ts';
import { printDocument } from '../openapi/print-document.ts';
import type { Terminal } from '../terminal.ts';
import type { EventTypesOptions } from './events.command.ts';
import { readDocument, typesOf } from './read-document.ts';

/** The members of a JSON Schema (draft-07) that decide the type of a value. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Writes the events of another application as declarations for `onEvent`, with the types of their data. */
export function writeEventTypes(file: string, options: EventTypesOptions, terminal: Terminal): void {
  const document = readDocument(file);
  const types = typesOf(document);
  if (types.length === 0)
    throw new CommandError(`${file} has no events of an application`, 'Name a file of "lintel asyncapi"');
  const text = `// Made by "lintel events types"; made anew when the events change.
import { event } from '@lintel/application';
${types.map((type) => declarationOf(type, document)).join('')}`;
  printDocument(text, options, terminal);
}

function declarationOf(type: string, { components: { schemas, messages } }: AsyncDocument): string {
  const source = messages[type]?.payload?.allOf?.[1]?.properties?.['source']?.const;
  if (source === undefined)
    throw new CommandError(`The document has no source of ${type}`, 'Make it anew by "lintel asyncapi"');
  const name = type.replaceAll(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const references = `"#/components/schemas/${type}`;
  const schema = JSON.stringify(schemas[type], undefined, 2).replaceAll(references, '"#');
  return `
/** Data of \`${type}\`. */
export type ${typeName} = ${typeOf(schemas[type] as Schema)};

export const ${name} = event<${typeName}>(${JSON.stringify(type)}, ${schema}, { source: ${JSON.stringify(source)} });
`;
}

/** The values that a schema allows, as far as TypeScript can say it; references and conditions are `unknown`. */
function typeOf(schema: Schema): string {
  const { type, enum: values = schema.const === undefined ? undefined : [schema.const], anyOf = schema.oneOf } = schema;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (typeof type === 'object') return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  switch (type) {
    case 'object':
      return membersOf(schema);
    case 'array':
      return `readonly (${schema.items === undefined ? 'unknown' : typeOf(schema.items)})[]`;
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

/** Members that the schema does not name may come with a later publisher. */
function membersOf({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return members.length === 0 ? 'Readonly<Record<string, unknown>>' : `{ ${members.join('; ')} }`;
}
