import type { EntityInfo } from '@lintel/client';
import { type Relation, relationsOf } from '../relations.ts';

/** A relation between two entities, once for both of its sides. */
export interface DiagramEdge {
  readonly from: string;
  readonly to: string;
  readonly attribute: string;
  readonly cardinality: Relation['cardinality'];
  readonly isComposition: boolean;
}

/** Entities and the relations among them. */
export interface DiagramGraph {
  readonly nodes: readonly string[];
  readonly edges: readonly DiagramEdge[];
}

/** The part of an entity's name before the first underscore. */
export const groupOf = (entity: string): string => entity.split('_')[0] ?? entity;

/**
 * The relations among entities. Of an inverse pair the side is kept that refers to one instance.
 *
 * @param isVisible whether the user may view an attribute
 */
export function diagramGraph(
  entities: readonly EntityInfo[],
  isVisible: (entity: string, attribute: string) => boolean,
): DiagramGraph {
  const names = new Set(entities.map(({ entityName }) => entityName));
  const all = entities.flatMap((entity) =>
    relationsOf(entity, (attribute) => isVisible(entity.entityName, attribute))
      .filter((relation) => names.has(relation.entity))
      .map((relation): DiagramEdge => ({ from: entity.entityName, to: relation.entity, ...relation })),
  );
  const edges = all.flatMap((edge, at): readonly DiagramEdge[] => {
    if (edge.cardinality === '1:n') {
      const owning = all.find((other) => isInverse(edge, other, 'n:1'));
      return owning === undefined ? [edge] : [];
    }
    if (edge.cardinality === 'n:m' || edge.cardinality === '1:1') {
      const earlier = all.slice(0, at).some((other) => isInverse(edge, other, edge.cardinality));
      return earlier && edge.from !== edge.to ? [] : [edge];
    }
    const parts = all.some((other) => isInverse(edge, other, '1:n') && other.isComposition);
    return [{ ...edge, isComposition: edge.isComposition || parts }];
  });
  return { nodes: [...names], edges };
}

const isInverse = (edge: DiagramEdge, other: DiagramEdge, cardinality: Relation['cardinality']): boolean =>
  other.cardinality === cardinality && other.from === edge.to && other.to === edge.from;
