import {
  type Attribute,
  columnsOf,
  type Entity,
  elementsTableOf,
  embeddedPrefix,
  entityOf,
  familyTreeOf,
  hasTable,
  type Model,
  storingEntity,
  type Table,
  tableOf,
} from '@lintel/metadata';

/** An attribute with a value. */
export type Valued = Extract<Attribute, { kind: 'datatype' | 'enum' | 'elements' }>;

/** A column of personal values. */
export interface PersonalColumn {
  /** The path of the attribute: `address.city`. */
  readonly path: string;
  readonly attribute: Valued;
  readonly table: Table;
  readonly name: string;
  readonly isNullable: boolean;
  /** Columns with the key of the owner, in a table of elements. */
  readonly owner?: readonly string[];
}

/** The personal columns of the tables of an inheritance tree, and of its tables of elements. */
export const personalColumnsOf = (model: Model, root: Entity): readonly PersonalColumn[] =>
  familyTreeOf(model, root).flatMap((entity) =>
    [...entity.attributes.values()]
      .filter(({ declaredBy }) => declaredBy === entity.name)
      .flatMap((attribute) => columnsIn(model, entity, attribute)),
  );

interface Above {
  readonly path: string;
  readonly prefix: string;
  readonly isPersonal: boolean;
}

function columnsIn(
  model: Model,
  entity: Entity,
  attribute: Attribute,
  { path, prefix, isPersonal }: Above = { path: '', prefix: '', isPersonal: false },
): readonly PersonalColumn[] {
  const own = `${path}${attribute.name}`;
  const isMarked = isPersonal || attribute.personal === true;
  if (!attribute.persistent || attribute.generated === true || attribute.kind === 'reference') return [];
  if (attribute.kind === 'embedded') {
    const inside = { path: `${own}.`, prefix: embeddedPrefix(attribute, prefix), isPersonal: isMarked };
    const inner = [...entityOf(model, attribute.target).attributes.values()];
    return inner.flatMap((each) => columnsIn(model, entity, each, inside));
  }
  if (!isMarked) return [];
  if (attribute.kind === 'elements' && hasTable(attribute)) {
    const { schema, name, ownerColumns, valueColumn } = elementsTableOf(model, attribute);
    const owner = ownerColumns.map((column) => column.name);
    return [{ path: own, attribute, table: { schema, name }, name: valueColumn.name, isNullable: false, owner }];
  }
  const { schema, name } = tableOf(storingEntity(model, entity));
  return columnsOf(model, attribute, prefix).map((column) => ({
    ...{ path: own, attribute, table: { schema, name } },
    ...{ name: column.name, isNullable: column.nullable },
  }));
}
