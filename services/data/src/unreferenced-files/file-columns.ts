import {
  columnsOf,
  elementsTableOf,
  isArray,
  type Model,
  plainColumnsOf,
  quoteTable,
  storingEntity,
  type Table,
  tableOf,
} from '@lintel/metadata';

/** A column whose values are file references. */
export interface FileColumn {
  readonly table: Table;
  readonly column: string;
  readonly isArray: boolean;
}

/**
 * The columns of a model that hold file references: of attributes, of embedded objects, of element collections. Each
 * column once, also where several entities share a table.
 */
export function fileColumnsOf(model: Model): readonly FileColumn[] {
  const columns = [...model.entities.values()]
    .filter(({ kind }) => kind === 'entity')
    .flatMap((entity): readonly FileColumn[] => {
      const table = tableOf(storingEntity(model, entity));
      const plain = plainColumnsOf(model, entity)
        .filter(({ attribute }) => attribute.persistent && isOfFiles(attribute))
        .map(({ column }) => columnIn(table, column.name, false));
      const elements = [...entity.attributes.values()].flatMap((attribute) => {
        if (attribute.kind !== 'elements' || attribute.declaredBy !== entity.name) return [];
        if (!attribute.persistent || !isOfFiles(attribute)) return [];
        if (isArray(attribute)) return columnsOf(model, attribute).map(({ name }) => columnIn(table, name, true));
        const elementsTable = elementsTableOf(model, attribute);
        return [columnIn(elementsTable, elementsTable.valueColumn.name, false)];
      });
      return [...plain, ...elements];
    });
  return [...new Map(columns.map((each) => [`${quoteTable(each.table)} ${each.column}`, each])).values()];
}

const isOfFiles = (attribute: { readonly kind: string; readonly datatype?: string }): boolean =>
  attribute.datatype === 'fileRef';

const columnIn = ({ schema, name }: Table, column: string, array: boolean): FileColumn => ({
  table: { schema, name },
  column,
  isArray: array,
});
