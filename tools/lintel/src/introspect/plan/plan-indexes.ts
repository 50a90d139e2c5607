import type { FoundIndex } from '@lintel/schema';
import { addFinding, type Draft } from './draft.ts';
import type { IndexPlan } from './model-plan.ts';
import { keyOf, sameColumns } from './select-tables.ts';

const SEARCH = /\(lower\(\(*"?(\w+)"?\)*(?:::text)?\)+ text_pattern_ops\)$/;
const SPECIAL = / (DESC|NULLS (FIRST|LAST)|\w+_ops|COLLATE|NULLS NOT DISTINCT|INCLUDE)\b/;

/**
 * The indexes of an entity; a unique one of a single attribute becomes `.unique()`. What the model cannot say is a
 * finding, and remains with the database.
 */
export function planIndexes(draft: Draft): readonly IndexPlan[] {
  const plans: IndexPlan[] = [];
  for (const index of draft.table.indexes) {
    const plan = planOf(draft, index);
    if (plan === undefined || isBrought(draft, index) || isDoubled(plans, plan)) continue;
    if (!plan.unique || !makeUnique(draft, plan)) plans.push(plan);
  }
  return plans;
}

function planOf(draft: Draft, index: FoundIndex): IndexPlan | undefined {
  const [, searched] = SEARCH.exec(index.definition) ?? [];
  const search = searched === undefined ? undefined : draft.paths.get(searched);
  if (search !== undefined && index.where === null && !index.unique)
    return { attributes: [search], unique: false, search: true };
  const attributes = index.columns === null ? undefined : attributesOf(draft, index.columns);
  const reason = problemOf(draft, index, attributes);
  if (reason === undefined && attributes !== undefined) return { attributes, unique: index.unique };
  addFinding(
    draft,
    'index',
    index.name,
    `${reason ?? 'is of something that is no attribute'}; the database has it nevertheless`,
  );
  return undefined;
}

function problemOf(draft: Draft, index: FoundIndex, attributes: readonly string[] | undefined): string | undefined {
  if (index.method !== 'btree') return `is a ${index.method} index`;
  if (index.columns === null) return 'is of an expression';
  if (attributes === undefined) return undefined;
  if (SPECIAL.test(index.definition)) return 'has an order, an operator class or columns of its own';
  const marker = [...draft.traits.columns].find(([, attribute]) => attribute === 'deletedDate')?.[0];
  const isLive = marker !== undefined && index.where?.replaceAll(/["()]/g, '') === `${marker} IS NULL`;
  if (index.where !== null && !(isLive && index.unique)) return `is of some rows only: ${index.where}`;
  return index.unique && marker !== undefined && !isLive
    ? 'is unique among all rows, and the model’s among those that are not deleted'
    : undefined;
}

/** The attributes that have exactly these columns, in order; undefined where a part has none or only some. */
function attributesOf(draft: Draft, columns: readonly string[]): readonly string[] | undefined {
  const [reference] = [...draft.sharing].find(([, own]) => own.join() === columns.join()) ?? [];
  if (reference !== undefined) return [reference];
  const paths = columns.map((column) => draft.paths.get(column));
  const attributes = [...new Set(paths)];
  const covered = [...draft.paths].filter(([, path]) => attributes.includes(path)).map(([column]) => column);
  const isPartial = attributes.some((path) =>
    draft.sharing.get(path ?? '')?.some((column) => !columns.includes(column)),
  );
  return paths.includes(undefined) || isPartial || !sameColumns(covered, columns)
    ? undefined
    : attributes.flatMap((path) => path ?? []);
}

/** The index of a reference is always created and need not be declared. */
function isBrought({ table }: Draft, { columns, unique }: FoundIndex): boolean {
  if (unique || columns === null) return false;
  const beginsAnother = [keyOf(table), ...table.indexes.map((other) => other.columns ?? [])].some(
    (other) => other.length > columns.length && columns.every((column, at) => other[at] === column),
  );
  return !beginsAnother && table.foreignKeys.some((key) => sameColumns(key.columns, columns));
}

const isDoubled = (plans: readonly IndexPlan[], plan: IndexPlan): boolean =>
  plans.some((each) => JSON.stringify(each) === JSON.stringify(plan));

/** Says at the attribute that it is unique; a system attribute and several cannot. */
function makeUnique(draft: Draft, { attributes }: IndexPlan): boolean {
  const [name, more] = attributes;
  const index = draft.attributes.findIndex(({ plan }) => plan.name === name);
  const found = draft.attributes[index];
  if (more !== undefined || found === undefined || name === draft.keyName) return false;
  const [builder = '', ...calls] = found.plan.calls;
  if (calls.includes('.unique()')) return true;
  const at = calls.indexOf('.mandatory()') + 1;
  draft.attributes[index] = {
    ...found,
    plan: { ...found.plan, calls: [builder, ...calls.slice(0, at), '.unique()', ...calls.slice(at)] },
  };
  return true;
}
