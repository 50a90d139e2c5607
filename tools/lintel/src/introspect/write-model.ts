import { describeObjects } from './changes/describe-objects.ts';
import { formatObjects, OBJECTS_FILE } from './changes/objects-file.ts';
import type { AttributePlan, EntityPlan, EnumPlan, Finding, ModelPlan } from './plan/model-plan.ts';
import { literal, tableName } from './plan/model-plan.ts';
import { freeName, kebabCase } from './plan/names.ts';

/** Longest line that the formatter keeps. */
const LINE_WIDTH = 120;

/** The files of a model: texts by name, in the order of their names. Pure. */
export function writeModel(plan: ModelPlan): ReadonlyMap<string, string> {
  const taken = new Set(['index', 'enums']);
  const files = new Map<string, string>();
  const names = new Map<EntityPlan, string>();
  for (const entity of plan.entities) {
    const kebab = kebabCase(entity.constant);
    const name = freeName(taken, kebab, `${kebab}-entity`);
    names.set(entity, name);
    files.set(`${name}.ts`, entityFile(entity, plan.findings));
  }
  if (plan.enums.length > 0) files.set('enums.ts', enumsFile(plan.enums));
  files.set('index.ts', indexFile(plan, names));
  files.set(OBJECTS_FILE, formatObjects(describeObjects(plan.tables)));
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const listOf = (names: readonly string[], open: string, close: string, before: string, after: string): string => {
  const space = open === '{' ? ' ' : '';
  const line = `${before}${open}${space}${names.join(', ')}${space}${close}${after}`;
  return line.length <= LINE_WIDTH
    ? line
    : `${before}${open}\n${names.map((name) => `  ${name},\n`).join('')}${close}${after}`;
};

const byName = (one: string, other: string): number => {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** `arrayOf(text().storedAs('…'))` → `arrayOf`, `text` */
const buildersOf = (call: string): readonly string[] =>
  /^(\w+)\((?:(\w+)\()?/
    .exec(call)
    ?.slice(1)
    .filter((name) => name !== undefined) ?? [];

const importOf = (names: readonly string[], from: string): string =>
  `${listOf([...new Set(names)].sort(byName), '{', '}', 'import ', ` from '${from}';`)}\n`;

/** A comment of the database in one line; it may not end the comment that it stands in. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();

const comment = (text: string | undefined, indent: string): string =>
  text === undefined || text.trim() === '' ? '' : `${indent}/** ${oneLine(text)} */\n`;

function entityFile(entity: EntityPlan, findings: readonly Finding[]): string {
  const all = [...entity.attributes, ...(entity.key?.attributes ?? [])];
  const builders = all.flatMap(({ calls }) => buildersOf(calls[0] ?? ''));
  const imports = [...builders, entity.builder, ...(entity.key === undefined ? [] : ['embeddable'])];
  const where = tableName(entity.source);
  const own = findings.filter(({ table }) => table === where);
  return [
    importOf(imports, '@lintel/metadata'),
    ...(entity.enums.length === 0 ? [] : [importOf(entity.enums, './enums.ts')]),
    '\n',
    ...(own.length === 0
      ? []
      : [
          `// What this does not say of ${oneLine(where)}:\n`,
          ...own.map((finding) => `// - ${oneLine(sentenceOf(finding, true))}\n`),
          '\n',
        ]),
    ...(entity.key === undefined
      ? []
      : [
          `export const ${entity.key.constant} = embeddable(${literal(entity.key.name)}, {\n`,
          attributesOf(entity.key.attributes),
          '});\n\n',
        ]),
    comment(entity.comment, ''),
    `export const ${entity.constant} = ${entity.builder}(${literal(entity.name)}, {\n`,
    ...entity.options.map((line) => `  ${line}\n`),
    attributesOf(entity.attributes),
    instanceNameOf(entity),
    indexesOf(entity),
    '});\n',
  ].join('');
}

/** A single name is written without braces; several have blanks between them. */
function instanceNameOf({ instanceName: names }: EntityPlan): string {
  const parts = names.length < 2 ? names : names.flatMap((name, at) => [...(at === 0 ? [] : [' ']), `{${name}}`]);
  return parts.length === 0 ? '' : `  instanceName: [${parts.map(literal).join(', ')}],\n`;
}

const attributesOf = (attributes: readonly AttributePlan[]): string =>
  attributes.length === 0 ? '  attributes: {},\n' : `  attributes: {\n${attributes.map(attributeText).join('')}  },\n`;

function attributeText({ name, calls, comment: text }: AttributePlan): string {
  const line = `    ${name}: ${calls.join('')},\n`;
  const [first = '', ...rest] = calls;
  const laidOut =
    line.length <= LINE_WIDTH + 1 || rest.length < 3
      ? line
      : `    ${name}: ${first}\n${rest.map((call) => `      ${call}`).join('\n')},\n`;
  return `${comment(text, '    ')}${laidOut}`;
}

function indexesOf({ indexes }: EntityPlan): string {
  if (indexes.length === 0) return '';
  const texts = indexes.map(({ attributes, unique, search }) => {
    const names = attributes.map(literal).join(', ');
    return `{ attributes: [${names}], unique: ${unique}${search === true ? ', search: true' : ''} }`;
  });
  const line = `  indexes: [${texts.join(', ')}],\n`;
  if (line.length <= LINE_WIDTH + 1 && texts.length === 1) return line;
  return `  indexes: [\n${texts.map((text) => `    ${text},\n`).join('')}  ],\n`;
}

function enumsFile(enums: readonly EnumPlan[]): string {
  const texts = enums.map(({ name, constant, values }) => {
    const members = values.map(([key, id]) => `${key}: ${typeof id === 'number' ? id : literal(id)}`);
    const line = `export const ${constant} = enumeration(${literal(name)}, { ${members.join(', ')} });\n`;
    if (line.length <= LINE_WIDTH + 1) return line;
    return `export const ${constant} = enumeration(${literal(name)}, {\n${members.map((member) => `  ${member},\n`).join('')}});\n`;
  });
  return `${importOf(['enumeration'], '@lintel/metadata')}\n${texts.join('\n')}`;
}

function indexFile({ entities, enums, findings }: ModelPlan, names: ReadonlyMap<EntityPlan, string>): string {
  const described = new Set(entities.map(({ source }) => tableName(source)));
  const left = findings.filter(({ table }) => !described.has(table));
  const constantsOf = ({ key, constant }: EntityPlan): readonly string[] => [
    ...(key === undefined ? [] : [key.constant]),
    constant,
  ];
  const imports = [
    ...entities.map((entity) => [names.get(entity) ?? '', constantsOf(entity)] as const),
    ...(enums.length === 0 ? [] : [['enums', enums.map(({ constant }) => constant)] as const]),
  ].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...imports.map(([from, constants]) => importOf(constants, `./${from}.ts`)),
    '\n',
    ...(left.length === 0
      ? []
      : ['// Not in this model:\n', ...left.map((finding) => `// - ${oneLine(sentenceOf(finding))}\n`), '\n']),
    `${listOf(
      enums.map(({ constant }) => constant),
      '[',
      ']',
      'export const ENUMS = ',
      ';',
    )}\n\n`,
    `${listOf(entities.flatMap(constantsOf), '[', ']', 'export const ENTITIES = ', ';')}\n`,
  ].join('');
}

/** `column public.order.tags is of type text[], which no datatype has` */
export const sentenceOf = ({ table, object, name, reason }: Finding, isInside = false): string => {
  const location = name === undefined ? (isInside ? '' : ` ${table}`) : ` ${isInside ? '' : `${table}.`}${name}`;
  return `${object}${location} ${reason}`;
};
