import { snakeCase } from '@lintel/metadata';
import type { FoundForeignKey, FoundTable } from '@lintel/schema';
import { columnTypeOf } from './column-type.ts';
import { addFinding, type Draft } from './draft.ts';
import { literal, tableName } from './model-plan.ts';
import { camelCase, freeName, pascalCase, plural, underscored } from './names.ts';
import { keyOf, type LinkTable, sameColumns } from './select-tables.ts';

/** The entity of the platform that applications refer to. */
const USERS = { table: 'sec.user', entity: 'sec_User', key: ['id'] };

/** A to-one reference that was made of a foreign key. */
export interface MadeReference {
  readonly draft: Draft;
  readonly key: FoundForeignKey;
  readonly attribute: string;
  readonly target: Draft | undefined;
  readonly mandatory: boolean;
}

/** Makes the to-one references of an entity; a foreign key that cannot be one is a finding. */
export function planReferences(draft: Draft, drafts: ReadonlyMap<string, Draft>): readonly MadeReference[] {
  const { table } = draft;
  const found = usableKeys(draft, drafts);
  const used = found.flatMap(({ columns }) => columns);
  const isShared = (column: string): boolean =>
    keyOf(table).includes(column) || used.indexOf(column) < used.lastIndexOf(column);
  return found.map(({ key, target, targetKey, columns }): MadeReference => {
    const attribute = freeName(draft.taken, ...attributeNames(columns, isShared, targetKey, key, target));
    const mandatory = table.columns.every((column) => !columns.includes(column.name) || !column.nullable);
    for (const column of columns) if (!isShared(column)) draft.paths.set(column, attribute);
    if (columns.some(isShared)) draft.sharing.set(attribute, columns);
    const isKey = sameColumns(columns, keyOf(table));
    if (isKey && target !== undefined && target !== draft)
      addFinding(
        draft,
        'foreign key',
        key.name,
        `refers from the key to ${tableName(target.table)}: if these rows are rows of ${target.name}, extend it instead (extends, keyColumns)`,
      );
    const isUsual = columns.every((column, at) => column === `${snakeCase(attribute)}_${targetKey[at]}`);
    draft.attributes.push({
      at: Math.min(...columns.map((column) => table.columns.findIndex((each) => each.name === column))),
      plan: {
        name: attribute,
        calls: [
          `toOne(${literal(target?.name ?? USERS.entity)})`,
          ...(mandatory ? ['.mandatory()'] : []),
          ...(isKey ? ['.unique()'] : []),
          ...(isUsual ? [] : [`.column(${columns.map(literal).join(', ')})`]),
        ],
        comment: columns.length === 1 && !columns.some(isShared) ? commentOf(draft, columns[0]) : undefined,
      },
    });
    return { draft, key, attribute, target, mandatory };
  });
}

/** A foreign key that becomes a reference. */
interface UsableKey {
  readonly key: FoundForeignKey;
  readonly target: Draft | undefined;
  readonly targetKey: readonly string[];
  /** Its columns, in the order of the target's key. */
  readonly columns: readonly string[];
}

function usableKeys(draft: Draft, drafts: ReadonlyMap<string, Draft>): readonly UsableKey[] {
  const { table } = draft;
  const found: UsableKey[] = [];
  for (const key of table.foreignKeys) {
    if (draft.ancestor !== undefined && sameColumns(key.columns, keyOf(table))) continue;
    const name = tableName(key.target);
    const target = drafts.get(name);
    const targetKey = target === undefined ? (name === USERS.table ? USERS.key : undefined) : keyOf(target.table);
    const reason = problemOf(draft, key, targetKey, found, drafts);
    if (reason === undefined && targetKey !== undefined) {
      const columns = targetKey.map((column) => key.columns[key.targetColumns.indexOf(column)] ?? '');
      found.push({ key, target, targetKey, columns });
    } else addFinding(draft, 'foreign key', key.name, `${reason ?? ''}; its columns are plain attributes`);
  }
  return found;
}

const commentOf = ({ table }: Draft, column: string | undefined): string | undefined =>
  table.columns.find(({ name }) => name === column)?.comment ?? undefined;

function problemOf(
  draft: Draft,
  key: FoundForeignKey,
  targetKey: readonly string[] | undefined,
  others: readonly UsableKey[],
  drafts: ReadonlyMap<string, Draft>,
): string | undefined {
  if (targetKey === undefined) {
    const isRead = [...drafts.values()].some(({ table }) => table.schema === key.target.schema);
    const way = isRead ? '' : `: give both schemas (--schema ${draft.table.schema},${key.target.schema})`;
    return `refers to ${tableName(key.target)}, which no entity of this model is made of${way}`;
  }
  if (targetKey.length === 0) return `refers to ${tableName(key.target)}, which has no key in this model`;
  if (!sameColumns(targetKey, key.targetColumns))
    return `refers to ${tableName(key.target)} (${key.targetColumns.join(', ')}), which is not its primary key`;
  const computed = draft.table.columns.find(({ name, computed: is }) => is && key.columns.includes(name));
  if (computed !== undefined) return `has the column ${computed.name}, which the database computes`;
  const system = key.columns.find((column) => draft.traits.columns.has(column));
  if (system !== undefined) return `has the column ${system}, which the platform sets`;
  const isSame = (other: UsableKey): boolean =>
    tableName(other.key.target) === tableName(key.target) && sameColumns(other.columns, key.columns);
  const same = others.find(isSame);
  if (same !== undefined) return `repeats ${same.key.name}`;
  const shared = key.columns.filter((column) => others.some(({ columns }) => columns.includes(column)));
  const inKey = key.columns.filter((column) => keyOf(draft.table).includes(column));
  return [...inKey, ...shared]
    .map((column) => sharingProblem(draft, key, column, drafts))
    .find((problem) => problem !== undefined);
}

/** Why the value of a column cannot be that of a reference and of another attribute. */
function sharingProblem(
  { table }: Draft,
  { columns, target, targetColumns }: FoundForeignKey,
  name: string,
  drafts: ReadonlyMap<string, Draft>,
): string | undefined {
  const typeIn = (found: FoundTable | undefined, column: string | undefined): string | undefined => {
    const type = found?.columns.find((each) => each.name === column);
    return type === undefined || type.computed ? undefined : columnTypeOf(type)?.builder.replace(/\(.*/, '');
  };
  const own = typeIn(table, name);
  if (own === undefined) return `shares the column ${name} with another one, and no attribute can have it`;
  const targetTable = drafts.get(tableName(target))?.table;
  const other = targetTable === undefined ? 'uuid' : typeIn(targetTable, targetColumns[columns.indexOf(name)]);
  const isAlike = own === other || ALIKE.some((group) => group.includes(own) && group.includes(other ?? ''));
  return isAlike ? undefined : `has the column ${name}, which is of another type there`;
}

/** Builders of attributes whose values can be the same. */
const ALIKE = [
  ['short', 'integer', 'long', 'decimal'],
  ['string', 'text'],
];

/** `customer_id` → `customer`; of several columns what they have in common. */
function attributeNames(
  columns: readonly string[],
  isShared: (column: string) => boolean,
  targetKey: readonly string[],
  { target, columns: keyColumns }: FoundForeignKey,
  draft: Draft | undefined,
): readonly string[] {
  const bases = columns.map(underscored).map((column, at) =>
    [`_${underscored(targetKey[at] ?? '')}`, '_id', '_uuid', '_key', '_fk', '_code']
      .filter((suffix) => column.endsWith(suffix) && column.length > suffix.length)
      .map((suffix) => column.slice(0, -suffix.length))
      .at(0),
  );
  const commonOf = ([base, ...others]: readonly (string | undefined)[]): string | undefined =>
    others.every((each) => each === base) ? base : undefined;
  // Of (tenant, from_desk) and (tenant, to_desk) the shared column says nothing.
  const common = commonOf(bases) ?? commonOf(bases.filter((_base, at) => !isShared(columns[at] ?? '')));
  const own = common ?? (columns.length === 1 ? columns[0] : undefined) ?? draft?.constant ?? target.name;
  const name = camelCase(own);
  return [name, `${name}Reference`, camelCase(keyColumns.join('_'))];
}

/** The other ends of the references, in the entities that they refer to; what deleting does, at the references. */
export function planInverses(references: readonly MadeReference[]): void {
  for (const reference of references) {
    const { draft, key, attribute, target } = reference;
    const isComposition = isChild(reference, references);
    const policy = isComposition ? undefined : POLICIES[key.onDelete];
    const isInKey = key.columns.every((column) => keyOf(draft.table).includes(column));
    if (policy !== undefined && !(policy === 'UNLINK' && isInKey))
      addCall(draft, attribute, `.onTargetDelete('${policy}')`);
    const isOne = isOneToOne(reference);
    // Unique among other rows than the model can say: it is neither end of a 1:1 association nor a collection.
    if (target === undefined || (isUnique(reference) && !isOne)) continue;
    const isOnly = references.filter((each) => each.draft === draft && each.target === target).length === 1;
    const isSelf = draft === target;
    const own = camelCase(isOne ? draft.constant : plural(draft.constant));
    const by = `${own}By${pascalCase(attribute)}`;
    const family = isOne ? 'child' : 'children';
    const names = isSelf && attribute === 'parent' ? [family, by] : isOnly && !isSelf ? [own, by] : [by];
    const builder = isOne ? 'toOneInverse' : isComposition ? 'compositionOfMany' : 'toMany';
    target.attributes.push({
      at: Number.POSITIVE_INFINITY,
      plan: {
        name: freeName(target.taken, ...names),
        calls: [`${builder}(${literal(draft.name)}, ${literal(attribute)})`],
      },
    });
  }
}

const POLICIES = {
  'NO ACTION': undefined,
  'SET DEFAULT': undefined,
  RESTRICT: 'DENY',
  CASCADE: 'CASCADE',
  'SET NULL': 'UNLINK',
} as const;

/** Its rows live and die with those of one other entity, and of no further one. */
function isChild(reference: MadeReference, all: readonly MadeReference[]): boolean {
  const { draft, key, target, mandatory } = reference;
  if (target === undefined || target === draft || !mandatory || key.onDelete !== 'CASCADE') return false;
  if (isUnique(reference) || isOneToOne(reference)) return false;
  return !all.some(
    (other) => other.draft === draft && other.key !== key && other.mandatory && other.key.onDelete === 'CASCADE',
  );
}

const isUnique = ({ draft, key }: MadeReference): boolean =>
  draft.table.indexes.some(
    ({ unique, columns, where }) => unique && where === null && columns !== null && sameColumns(columns, key.columns),
  );

const FIRST_CALLS = new Set(['.mandatory()', '.unique()']);

/** Whether the plan of the indexes has made the reference unique. */
const isOneToOne = ({ draft, attribute }: MadeReference): boolean =>
  draft.attributes.some(({ plan }) => plan.name === attribute && plan.calls.includes('.unique()'));

function addCall(draft: Draft, attribute: string, call: string): void {
  const index = draft.attributes.findIndex(({ plan }) => plan.name === attribute);
  const found = draft.attributes[index];
  if (found === undefined) return;
  const [first = '', ...rest] = found.plan.calls;
  const before = rest.filter((each) => FIRST_CALLS.has(each));
  const after = rest.filter((each) => !FIRST_CALLS.has(each));
  draft.attributes[index] = { ...found, plan: { ...found.plan, calls: [first, ...before, call, ...after] } };
}

/**
 * A M:N association: the collection at the owner, its other end at the target.
 *
 * @param owned whether migrations own the link table
 */
export function planLink(link: LinkTable, owner: Draft, target: Draft, owned: boolean): void {
  const { table } = link;
  const [begin, end] = [`${owner.table.name}_`, '_link'];
  const isNamed =
    table.name.startsWith(begin) && table.name.endsWith(end) && table.name.length > begin.length + end.length;
  const own = camelCase(isNamed ? table.name.slice(begin.length, -end.length) : plural(target.constant));
  const name = freeName(owner.taken, own, camelCase(table.name), `${own}Links`);
  const inverse = camelCase(plural(owner.constant));
  const inverseName = freeName(target.taken, inverse, `${inverse}By${pascalCase(name)}`);
  const columnsOf = (key: LinkTable['owner'], end: Draft): readonly string[] =>
    keyOf(end.table).map((column) => key.columns[key.targetColumns.indexOf(column)] ?? '');
  const columns = columnsOf(link.owner, owner);
  const targetColumns = columnsOf(link.target, target);
  const base = owner === target ? snakeCase(name) : target.table.name;
  const isUsual =
    !owner.isExternal &&
    table.name === `${owner.table.name}_${snakeCase(name)}_link` &&
    columns.every((column, at) => column === `${owner.table.name}_${keyOf(owner.table)[at]}`) &&
    targetColumns.every((column, at) => column === `${base}_${keyOf(target.table)[at]}`);
  const list = (names: readonly string[]): string => `[${names.map(literal).join(', ')}]`;
  const members = [
    `schema: ${literal(table.schema)}`,
    `name: ${literal(table.name)}`,
    `columns: ${list(columns)}`,
    `targetColumns: ${list(targetColumns)}`,
    ...(owned ? ['owned: true'] : []),
  ];
  const linkedBy = `.linkedBy({\n${members.map((member) => `      ${member},\n`).join('')}    })`;
  owner.attributes.push({
    at: Number.POSITIVE_INFINITY,
    plan: { name, calls: [`manyToMany(${literal(target.name)})`, ...(isUsual ? [] : [linkedBy])] },
  });
  target.attributes.push({
    at: Number.POSITIVE_INFINITY,
    plan: { name: inverseName, calls: [`manyToManyInverse(${literal(owner.name)}, ${literal(name)})`] },
  });
}
