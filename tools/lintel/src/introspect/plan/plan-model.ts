import type { FoundForeignKey, FoundTable } from '@lintel/schema';
import { addFinding, columnAttribute, type Draft, newDraft } from './draft.ts';
import { NO_TRAITS } from './find-traits.ts';
import {
  type AttributePlan,
  type EmbeddablePlan,
  type EntityPlan,
  literal,
  type ModelPlan,
  tableName,
} from './model-plan.ts';
import { camelCase, freeName, pascalCase, singular } from './names.ts';
import { namingAttributes } from './naming-attributes.ts';
import { EnumPlans } from './plan-enums.ts';
import { planIndexes } from './plan-indexes.ts';
import { planInverses, planLink, planReferences } from './plan-references.ts';
import { remainingOfLink, remainingRules } from './remaining-rules.ts';
import { type ElementTable, keyOf, sameColumns, selectTables } from './select-tables.ts';

const DISCRIMINATOR = 'entity_name';

/** Names of constants that mean something else everywhere. */
const GLOBALS = [
  'Array',
  'Boolean',
  'Date',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'Set',
  'String',
  'Symbol',
];

/**
 * The model that the tables of one schema are stored by. What it cannot say is among the findings, all of it.
 * Pure, and the same for the same tables.
 *
 * @param prefix of the names of entities and enums
 * @param options.owned whether migrations of the application create and change the tables from now on
 */
export function planModel(
  tables: readonly FoundTable[],
  prefix: string,
  { owned }: { readonly owned: boolean } = { owned: false },
): ModelPlan {
  const { entities, links, elements, findings } = selectTables(tables);
  const taken = new Set<string>(GLOBALS);
  const drafts = new Map<string, Draft>();
  // A table that is called after one row keeps its name where another one would get the same; a view gets another name.
  const isSingle = ({ name }: FoundTable): boolean => pascalCase(singular(name)) === pascalCase(name);
  const isView = ({ view }: FoundTable): boolean => view !== null;
  const rank = (table: FoundTable): number => (isView(table) ? 2 : isSingle(table) ? 0 : 1);
  for (const table of [...entities].sort((one, other) => rank(one) - rank(other))) {
    const single = pascalCase(singular(table.name));
    const constant = freeName(taken, single, pascalCase(table.name), `${single}Entity`);
    drafts.set(tableName(table), newDraft(table, `${prefix}_${constant}`, constant, owned));
  }
  findDescendants(drafts);
  const enums = new EnumPlans(prefix, taken);
  const all = entities.flatMap((table) => drafts.get(tableName(table)) ?? []);
  const references = all.flatMap((draft) =>
    isKeyless(draft) ? refuseReferences(draft) : planReferences(draft, drafts),
  );
  const keys = new Map(all.map((draft) => [draft, planColumns(draft, enums, prefix, taken)]));
  for (const each of elements) addElements(each, drafts);
  const indexes = new Map(all.map((draft) => [draft, isPlainList(draft) ? [] : planIndexes(draft)]));
  planInverses(references);
  for (const link of links) {
    const [owner, target] = [drafts.get(tableName(link.owner.target)), drafts.get(tableName(link.target.target))];
    if (owner !== undefined && target !== undefined) planLink(link, owner, target, owned);
  }
  const plans = all.map((draft) => entityPlan(draft, keys.get(draft), indexes.get(draft) ?? []));
  return {
    tables,
    entities: plans,
    enums: enums.plans,
    findings: [
      ...findings,
      ...all.flatMap((draft) => [...draft.findings, ...remainingRules(draft)]),
      ...[...links, ...elements].flatMap(({ table }) => remainingOfLink(table)),
    ],
  };
}

const isKeyless = ({ table }: Draft): boolean => keyOf(table).length === 0;

/** Nothing of the database enforces the indexes of the model there. */
const isPlainList = (draft: Draft): boolean => isKeyless(draft) || draft.table.view !== null;

function refuseReferences(draft: Draft): readonly [] {
  for (const { name } of draft.table.foreignKeys)
    addFinding(
      draft,
      'foreign key',
      name,
      'is of a table without a key in this model; its columns are plain attributes',
    );
  return [];
}

/** Joined inheritance as migrations make it: the key is a foreign key, and the root names the entity of a row. */
function findDescendants(drafts: ReadonlyMap<string, Draft>): void {
  const aboveOf = ({ table, isExternal }: Draft): Draft | undefined => {
    const isParent = ({ columns, onDelete }: FoundForeignKey): boolean =>
      onDelete === 'CASCADE' && sameColumns(columns, keyOf(table));
    const key = isExternal ? undefined : table.foreignKeys.find(isParent);
    const above = key === undefined ? undefined : drafts.get(tableName(key.target));
    return above?.isExternal === false ? above : undefined;
  };
  for (const draft of drafts.values()) {
    const lineage = [draft];
    for (let next = aboveOf(draft); next !== undefined && !lineage.includes(next); next = aboveOf(next))
      lineage.push(next);
    const root = lineage.at(-1);
    const [, ancestor] = lineage;
    if (root === undefined || ancestor === undefined || aboveOf(root) !== undefined || !isRoot(root)) continue;
    draft.ancestor = ancestor.name;
    // What the platform keeps is kept in the root's table.
    for (const column of draft.traits.columns.keys()) draft.paths.delete(column);
    draft.traits = NO_TRAITS;
    root.hasDescendants = true;
  }
}

const isRoot = ({ table }: Draft): boolean =>
  table.columns.some(
    ({ name, type, nullable }) => name === DISCRIMINATOR && type === 'character varying(100)' && !nullable,
  );

/** The attributes of the columns that belong to no reference; returns the parts of a composite key. */
function planColumns(
  draft: Draft,
  enums: EnumPlans,
  prefix: string,
  constants: Set<string>,
): EmbeddablePlan | undefined {
  const { table } = draft;
  const key = keyOf(table);
  for (const [at, column] of table.columns.entries()) {
    const isKey = key.includes(column.name);
    if (draft.paths.has(column.name) || (isKey && (key.length > 1 || draft.ancestor !== undefined))) continue;
    if (column.name === DISCRIMINATOR && draft.hasDescendants === true) continue;
    const scope = isKey ? { taken: new Set<string>(), isKey } : { taken: draft.taken };
    const plan = columnAttribute(draft, column, enums, scope);
    if (plan === undefined) continue;
    draft.paths.set(column.name, plan.name);
    draft.attributes.push({ at: isKey ? -1 : at, plan });
  }
  for (const plan of draft.traits.attributes) draft.attributes.push({ at: -0.5, plan });
  return key.length > 1 ? planCompositeKey(draft, enums, prefix, constants) : undefined;
}

function planCompositeKey(draft: Draft, enums: EnumPlans, prefix: string, constants: Set<string>): EmbeddablePlan {
  const { table, keyName } = draft;
  const columns = keyOf(table).flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
  const begin = `${keyName}_`;
  const isPrefixed = columns.every(({ name }) => name.startsWith(begin) && name.length > begin.length);
  const taken = new Set<string>();
  const attributes = columns.flatMap((column): readonly AttributePlan[] => {
    const scope = { taken, isKey: true, ...(isPrefixed ? { prefix: begin } : {}) };
    const plan = columnAttribute(draft, column, enums, scope);
    if (plan !== undefined) draft.paths.set(column.name, `${keyName}.${plan.name}`);
    return plan === undefined ? [] : [plan];
  });
  const constant = freeName(constants, `${draft.constant}Key`);
  const name = `${prefix}_${constant}`;
  const calls = [`embedded(${literal(name)})`, ...(isPrefixed ? [] : [`.columnPrefix('')`])];
  draft.attributes.push({ at: -1, plan: { name: keyName, calls } });
  return { name, constant, attributes };
}

function addElements({ table, owner, element }: ElementTable, drafts: ReadonlyMap<string, Draft>): void {
  const draft = drafts.get(tableName(owner.target));
  if (draft === undefined) return;
  const name = freeName(draft.taken, camelCase(table.name.slice(draft.table.name.length + 1)));
  draft.attributes.push({ at: Number.POSITIVE_INFINITY, plan: { name, calls: [`elements(${element})`] } });
}

function entityPlan(draft: Draft, key: EmbeddablePlan | undefined, indexes: EntityPlan['indexes']): EntityPlan {
  const { table, traits } = draft;
  const attributes = draft.attributes
    .map((each, order) => ({ ...each, order }))
    .sort((left, right) => (left.at === right.at ? left.order - right.order : left.at < right.at ? -1 : 1))
    .map(({ plan }) => plan);
  const isStandard = traits.kind !== 'some' || draft.ancestor !== undefined;
  const numbered = table.columns.some(
    ({ name, numbered: is, default: value }) =>
      // A key may have its numbers from a sequence that other tables use, too.
      (is || (key === undefined && value?.startsWith('nextval(') === true)) && keyOf(table).includes(name),
  );
  const isReference = [...draft.sharing.values()].some((columns) => columns.includes(keyOf(table)[0] ?? ''));
  const isUuid =
    !isReference &&
    keyOf(table).length === 1 &&
    table.columns.some(({ name, type }) => keyOf(table)[0] === name && type === 'uuid');
  const generation = numbered ? 'identity' : isUuid ? 'uuid' : undefined;
  if (numbered && key !== undefined)
    addFinding(
      draft,
      'column',
      keyOf(table).join(', '),
      'is a composite key that the database numbers; clients send it',
    );
  return {
    name: draft.name,
    constant: draft.constant,
    builder: isKeyless(draft)
      ? 'keylessEntity'
      : isStandard
        ? traits.kind === 'soft'
          ? 'softDeletedEntity'
          : 'standardEntity'
        : 'keyedEntity',
    options: [
      ...(draft.isExternal
        ? [
            `${table.view === null ? 'table' : 'view'}: { schema: ${literal(table.schema)}, name: ${literal(table.name)}${draft.isOwned ? ', owned: true' : ''} },`,
          ]
        : []),
      ...(draft.ancestor === undefined ? [] : [`extends: ${literal(draft.ancestor)},`]),
      ...(isStandard || isKeyless(draft) ? [] : [`key: ${literal(draft.keyName)},`]),
      ...(isStandard || generation === undefined || table.view !== null || key !== undefined
        ? []
        : [`generation: '${generation}',`]),
      ...(isStandard || traits.text === undefined ? [] : [`traits: ${traits.text},`]),
      ...(table.inheritedBy.length === 0 ? [] : ['readOnly: true,']),
      ...(isRecorded(draft) ? ['history: true,'] : []),
    ],
    key,
    attributes: isStandard
      ? attributes.filter(({ name, calls }) => name !== 'id' || calls[0] !== 'uuid()')
      : attributes,
    instanceName: namingAttributes(draft, attributes),
    indexes,
    enums: [...draft.enums],
    comment: table.comment ?? undefined,
    source: table,
  };
}

/** Whether triggers record the changes of the table for itself, and not as parts of an owner. */
const isRecorded = ({ ancestor, isExternal, isOwned, table }: Draft): boolean =>
  ancestor === undefined &&
  (!isExternal || isOwned) &&
  table.automatisms.some(({ definition }) => / FUNCTION history\.record\('[^']*', '{}',/.test(definition));
