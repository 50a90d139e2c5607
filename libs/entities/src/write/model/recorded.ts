import { type EntityHistory, historyOf, historyTablesOf, type Model } from '@lintel/metadata';

interface Recorded {
  readonly tables: ReadonlySet<string>;
  readonly names: RegExp | undefined;
  /** The histories of entities and of their children, by the root of the inheritance tree. */
  readonly entities: ReadonlyMap<string, EntityHistory>;
}

const known = new WeakMap<Model['entities'], Recorded>();

function recordedOf(model: Model): Recorded {
  const present = known.get(model.entities);
  if (present !== undefined) return present;
  const entities = new Map<string, EntityHistory>();
  const add = ({ entity, children }: ReturnType<typeof historyOf>, history: EntityHistory): void => {
    if (!entities.has(entity.name) || history.requiresReason === true) entities.set(entity.name, history);
    for (const { node } of children) add(node, history);
  };
  for (const entity of model.entities.values())
    if (entity.history !== undefined) add(historyOf(model, entity), entity.history);
  const tables = historyTablesOf(model);
  const names = tables.map(({ name }) => name.replaceAll(/[^\w]/g, '\\$&')).join('|');
  const made = {
    tables: new Set(tables.map(({ schema, name }) => `${schema}.${name}`)),
    names: tables.length === 0 ? undefined : new RegExp(`(?<!\\w)(?:${names})(?!\\w)`),
    entities,
  };
  known.set(model.entities, made);
  return made;
}

/** The tables whose changes are recorded, as `schema.table`. */
export const recordedTables = (model: Model): ReadonlySet<string> => recordedOf(model).tables;

/** Finds the name of a recorded table in a statement; undefined if nothing is recorded. */
export const recordedNames = (model: Model): RegExp | undefined => recordedOf(model).names;

/** The histories of entities and of composition children, by the name of the root of the inheritance tree. */
export const recordedEntities = (model: Model): ReadonlyMap<string, EntityHistory> => recordedOf(model).entities;
