import {
  type Attribute,
  type Entity,
  entityOf,
  historyOf,
  keyColumnsOf,
  type Model,
  type Table,
} from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import {
  type ExactJson,
  isExactObject,
  type ParseOptions,
  parseRead,
  type QueryLimits,
  readExactJson,
  type SqlValue,
  UNLIMITED,
} from '@lintel/query';
import {
  bindRead,
  type CallerAccess,
  compileQuery,
  executeRows,
  type JsonRow,
  maskedAccess,
  noteRead,
  type PreparedRead,
  type ReadDependencies,
  shapeRows,
  unrecorded,
} from '@lintel/reading';
import { familyStatement, sourceOf, tableInFamily } from './family-statement.ts';
import { recordedTables } from './recorded.ts';

/** The instance of a history. */
export interface HistorySubject {
  readonly entity: Entity;
  /** Parts of its key, in the order of the key columns. */
  readonly key: readonly SqlValue[];
}

/** How a history is read: with the rights of the caller, outside of replicas. */
export interface HistoryReading {
  readonly model: Model;
  /** The masked one: no value that it hides is shown. */
  readonly access: CallerAccess;
  /** The one of the caller, which names masked changes; absent if it hides nothing else. */
  readonly unmasked?: CallerAccess | undefined;
  readonly deps: Pick<ReadDependencies, 'displayIn' | 'statements'>;
  readonly runner: StatementRunner;
  readonly signal: AbortSignal;
}

/** A state of an instance: after an entry. */
export interface HistoryMoment extends Pick<HistorySubject, 'key'> {
  readonly entry: string;
  readonly change?: string;
}

/** The form in which states are read, and its limits. */
export interface HistoryPlan {
  readonly fetchPlan: ExactJson;
  /** Absent values are null. */
  readonly returnNulls?: boolean;
  /** With the values of dynamic attributes. */
  readonly dynamicAttributes?: boolean;
  readonly limits: QueryLimits;
  readonly options: Pick<ParseOptions, 'inlineFetchPlansEnabled'>;
}

const FAMILY = 'f.family';

/** The key of an instance as entries have it, in SQL; `partAt` writes a part of the key. */
export const keyInEntries = (model: Model, entity: Entity, partAt = (part: number): string => `$${part + 1}`): string =>
  `jsonb_build_array(${keyColumnsOf(model, entity)
    .map(({ type }, part) => `to_jsonb(${partAt(part)}::${type})`)
    .join(', ')})::text`;

/**
 * Reads instances as they were after entries, through the stages of any read, with the rights of the caller today: the
 * rows of an instance, and the rows of everything that belongs to it, are replaced by the recorded ones, so that
 * row-level policies judge the former state.
 *
 * @param moments entries, each with the change whose children are read; without one, all children are
 * @param plan as a client sends it, with the limits of the client
 * @returns the JSON that the caller may see, by the position of the moment; hidden and absent states are missing
 */
export async function readStates(
  entity: Entity,
  moments: readonly HistoryMoment[],
  plan: HistoryPlan,
  reading: HistoryReading,
): Promise<ReadonlyMap<number, string>> {
  const [first] = moments;
  if (first === undefined) return new Map();
  const { runner, signal } = reading;
  const isOfChanges = moments.some(({ change }) => change !== undefined);
  const read = prepareStates(entity, plan, isOfChanges, reading);
  const id = first.key.map((_, part) => moments.map(({ key }) => key[part] ?? null));
  const statement = bindRead(read, read.compiled.rows, { id });
  const changes = isOfChanges ? [moments.map(({ change }) => change ?? null)] : [];
  const values = [...statement.values, moments.map(({ entry }) => entry), ...changes];
  const rows = await executeRows({ ...statement, values }, read, runner, signal);
  const toEntry = (json: string, row: JsonRow): [number, string] => [Number(row.at) - 1, json];
  const found = new Map(await shapeRows(read, rows, toEntry));
  await noteRead(read, [...found.values()]);
  return found;
}

function prepareStates(
  entity: Entity,
  { fetchPlan, returnNulls = false, dynamicAttributes = false, limits, options }: HistoryPlan,
  isOfChanges: boolean,
  { model, access, deps }: HistoryReading,
): PreparedRead {
  const { displayIn, statements } = deps;
  const members = { fetchPlan, returnNulls, dynamicAttributes };
  const parsed = parseRead({ operation: 'instance', entityName: entity.name, members }, options, limits);
  const display = displayIn(access.locale);
  const compile = () => {
    const family = familyStatement(model, historyOf(model, entity), {
      key: keyInEntries(model, entity, (part) => `b.k${part}`),
      upto: 'b.id',
      change: isOfChanges ? 'b.change' : undefined,
      recorded: recordedTables(model),
    });
    const tableInSql = (table: Table): string | undefined => {
      const replaced = family.tables.get(sourceOf(table));
      return replaced && tableInFamily(replaced, FAMILY);
    };
    const variant = { isUnlimited: false, after: undefined, display, tokens: false, bounds: statements.bounds };
    const compiled = compileQuery(parsed, model, access.read, { ...variant, tableInSql });
    const { rows } = compiled;
    const keys = new Map<string, string>();
    const own = rows.text.replace(/\$(\d+)::([a-z]+(?: [a-z]+)*)/g, (whole, index: string, type: string) => {
      const source = rows.sources[Number(index) - 1];
      if (source?.kind !== 'id') return whole;
      keys.set(`k${source.part}`, `$${index}::${type}[]`);
      return `f.k${source.part}`;
    });
    const next = rows.sources.length + 1;
    const lists = [`$${next}::bigint[]`, ...(isOfChanges ? [`$${next + 1}::uuid[]`] : []), ...keys.values()];
    const columns = ['id', ...(isOfChanges ? ['change'] : []), ...keys.keys(), 'at'].join(', ');
    const moments = `unnest(${lists.join(', ')}) WITH ORDINALITY b(${columns})`;
    const ofKeys = [...keys.keys()].map((key) => `b.${key}`).join(', ');
    // Without OFFSET the planner would evaluate the family again wherever it is read.
    const families = `(SELECT b.at, ${ofKeys}, (${family.text}) AS family FROM ${moments} OFFSET 0) f`;
    const text = `SELECT f.at::text AS "at", q."json" FROM ${families} CROSS JOIN LATERAL (${own}) q`;
    return { ...compiled, rows: { ...rows, name: `${isOfChanges ? 'changes' : 'states'} ${rows.name}`, text } };
  };
  return {
    parsed,
    model,
    access,
    after: undefined,
    ...statements.prepare(parsed, model, access.read, `history ${isOfChanges} ${display.key}${limits.key}`, compile),
  };
}

/** The plan of the platform: everything, or everything of some attributes, without limits. */
export const wholeHistory = (model: Model, entity: Entity, chosen?: ReadonlySet<string>): HistoryPlan => ({
  fetchPlan: wholePlan(model, entity, [], undefined, chosen),
  dynamicAttributes: true,
  limits: UNLIMITED,
  options: { inlineFetchPlansEnabled: true },
});

/** The fetch plan of everything that belongs to an instance: its own attributes, references by name, and its children. */
function wholePlan(
  model: Model,
  entity: Entity,
  above: readonly string[] = [],
  owner: string | undefined = undefined,
  chosen: ReadonlySet<string> | undefined = undefined,
): ExactJson {
  const properties = [...entity.attributes.values()]
    .filter(({ name }) => name !== owner && chosen?.has(name) !== false)
    .flatMap((attribute) => planOf(model, attribute, [...above, entity.name]));
  return { entity: entity.name, properties };
}

function planOf(model: Model, attribute: Attribute, above: readonly string[]): readonly ExactJson[] {
  const { name, kind, secret, persistent } = attribute;
  if (secret || !persistent) return [];
  if (kind === 'embedded') return [{ name, fetchPlan: '_local' }];
  if (kind !== 'reference') return [name];
  if (attribute.composition && !above.includes(attribute.target))
    return [{ name, fetchPlan: wholePlan(model, entityOf(model, attribute.target), above, attribute.inverse) }];
  const isStoredElsewhere = !attribute.owning && attribute.cardinality !== 'MANY_TO_MANY';
  return isStoredElsewhere ? [] : [{ name, fetchPlan: '_instance_name' }];
}

/** Returns the access with which a caller reads histories. */
export function historyAccess(access: CallerAccess): Pick<HistoryReading, 'access' | 'unmasked'> {
  const masked = maskedAccess(access);
  return masked === access ? { access } : { access: masked, unmasked: unrecorded(access) };
}

/** A state as an object; undefined for a hidden or an absent one. */
export function stateOf(json: string | undefined): Readonly<Record<string, ExactJson>> | undefined {
  const state = json === undefined ? undefined : readExactJson(json);
  return state !== undefined && isExactObject(state) ? state : undefined;
}
