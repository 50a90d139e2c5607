import type { EntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';

/** An attribute whose values are files, directly or in an embedded object. */
export interface FileAttribute {
  readonly entity: string;
  readonly path: readonly string[];
}

/** The attributes with files that the user may view. */
export function fileAttributesOf({
  entities,
  rights,
}: {
  readonly entities: ReadonlyMap<string, EntityInfo>;
  readonly rights: Rights;
}): readonly FileAttribute[] {
  const pathsOf = ({ entityName, properties }: EntityInfo, above: readonly EntityInfo[]): readonly string[][] =>
    properties
      .filter(({ name, persistent }) => persistent && rights.mayView(entityName, name))
      .flatMap(({ name, type, attributeType }) => {
        if (attributeType === 'DATATYPE') return type === 'fileRef' ? [[name]] : [];
        const embedded = attributeType === 'EMBEDDED' ? entities.get(type) : undefined;
        if (embedded === undefined || above.includes(embedded)) return [];
        return pathsOf(embedded, [...above, embedded]).map((path) => [name, ...path]);
      });
  return [...entities.values()]
    .filter(({ entityName }) => rights.may(entityName, 'read'))
    .flatMap((entity) => pathsOf(entity, []).map((path) => ({ entity: entity.entityName, path })));
}

/** An inline fetch plan with the attribute alone. */
export const planOfFile = ({ path }: FileAttribute): object =>
  path.reduceRight<object | true>((inner, name) => ({ [name]: inner }), true) as object;

/** The references of an instance: none, one, or those of a collection. */
export function filesOf(instance: unknown, { path }: Pick<FileAttribute, 'path'>): readonly string[] {
  const value = path.reduce<unknown>(
    (owner, name) => (owner as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    instance,
  );
  return [value].flat().filter((each): each is string => typeof each === 'string');
}

/** `sales_Order.attachment`. */
export const nameOfAttribute = ({ entity, path }: FileAttribute): string => [entity, ...path].join('.');
