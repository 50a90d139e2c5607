import { type Entity, type HistoryNode, historyOf, historyTablesOf, type Model, tablesOf } from '@lintel/metadata';

interface Recorded {
  readonly tables: ReadonlySet<string>;
  readonly names: RegExp | undefined;
  readonly entities: ReadonlySet<string>;
  readonly needingReasons: ReadonlySet<string>;
}

const known = new WeakMap<Model['entities'], Recorded>();

function recordedOf(model: Model): Recorded {
  const present = known.get(model.entities);
  if (present !== undefined) return present;
  const recorded = [...model.entities.values()].filter(({ history }) => history !== undefined);
  const rootsOf = (some: readonly Entity[]) => new Set(some.flatMap((entity) => namesIn(historyOf(model, entity))));
  const tables = historyTablesOf(model);
  const names = tables.map(({ name }) => name.replaceAll(/[^\w]/g, '\\$&')).join('|');
  const made = {
    tables: new Set(tables.map(({ schema, name }) => `${schema}.${name}`)),
    names: tables.length === 0 ? undefined : new RegExp(`(?<!\\w)(?:${names})(?!\\w)`),
    entities: rootsOf(recorded),
    needingReasons: rootsOf(recorded.filter(({ history }) => history?.requiresReason === true)),
  };
  known.set(model.entities, made);
  return made;
}

/** The tables whose changes are recorded, as `schema.table`. */
export const recordedTables = (model: Model): ReadonlySet<string> => recordedOf(model).tables;

/** Finds the name of a recorded table in a statement; undefined if nothing is recorded. */
export const recordedNames = (model: Model): RegExp | undefined => recordedOf(model).names;

const namesIn = ({ entity, children }: HistoryNode): readonly string[] => [
  entity.name,
  ...children.flatMap(({ node }) => namesIn(node)),
];

/** The roots of the inheritance trees whose changes need a reason. */
export const needingReasons = (model: Model): ReadonlySet<string> => recordedOf(model).needingReasons;

/** The roots of the inheritance trees whose changes are recorded. */
export const recordedEntities = (model: Model): ReadonlySet<string> => recordedOf(model).entities;

const valuesOf = new WeakMap<Model, string | null>();

/** The dynamic attributes whose values are recorded, as the trigger of their table reads them; null for none. */
export function recordedValues(model: Model): string | null {
  const known = valuesOf.get(model);
  if (known !== undefined) return known;
  const nodes = [...model.entities.values()].filter(({ history }) => history !== undefined);
  const recorded = nodes.flatMap((entity) =>
    tablesOf(historyOf(model, entity)).flatMap(({ values }) =>
      (values?.attributes ?? []).map((id) => [
        id,
        { source: values?.source, ...(values?.isNumber && { isNumber: true }) },
      ]),
    ),
  );
  const text = recorded.length === 0 ? null : JSON.stringify(Object.fromEntries(recorded));
  valuesOf.set(model, text);
  return text;
}
