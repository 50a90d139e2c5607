import type { AttributeInfo, EntityInfo } from '@lintel/client';

/** A column of a result. Without an attribute, its values have no type that the page knows. */
export interface ResultColumn {
  readonly name: string;
  readonly attribute: AttributeInfo | undefined;
}

export type Row = Readonly<Record<string, unknown>>;

/** Members of instances that are not shown in columns. */
const SYSTEM = new Set(['_entityName', '_instanceName', '_securityToken', 'id', 'version']);

/** The members that rows have: of an entity in the order of its attributes, else in the order of the rows. */
export function resultColumns(rows: readonly Row[], entity: EntityInfo | undefined): readonly ResultColumn[] {
  const names = new Set(
    rows.flatMap((row) => Object.keys(row)).filter((name) => entity === undefined || !SYSTEM.has(name)),
  );
  if (entity === undefined) return [...names].map((name) => ({ name, attribute: undefined }));
  const known = entity.properties.filter(({ name }) => names.delete(name));
  return [
    ...known.map((attribute) => ({ name: attribute.name, attribute })),
    ...[...names].map((name) => ({ name, attribute: undefined })),
  ];
}

/** The entity that all rows are instances of. */
export function entityOfRows(rows: readonly unknown[], entities: ReadonlyMap<string, unknown>): string | undefined {
  const [name, ...others] = new Set(rows.map((row) => (row as Row)['_entityName']));
  return others.length === 0 && typeof name === 'string' && entities.has(name) ? name : undefined;
}
