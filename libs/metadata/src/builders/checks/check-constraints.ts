import { suggestion } from '@lintel/errors';
import type { Entity } from '../../entities/entity.ts';
import { attributesIn } from '../../entities/entity-constraints.ts';

/** Attributes that checks, exclusions and indexes name and that do not exist, and names of no use: one sentence each. */
export const checkConstraints = (entities: ReadonlyMap<string, Entity>): readonly string[] =>
  [...entities.values()].flatMap((entity) => {
    const uses = [
      ...Object.entries(entity.checks ?? {}).map(
        ([name, { condition }]) => [`The check ${name}`, attributesIn(condition)] as const,
      ),
      ...Object.entries(entity.exclusions ?? {}).map(
        ([name, { equal = [], period, where = '' }]) =>
          [`The exclusion ${name}`, [...equal, ...period, ...attributesIn(where)]] as const,
      ),
      ...entity.indexes.map(
        ({ expression = '', where = '' }) => ['An index', attributesIn(`${expression} ${where}`)] as const,
      ),
    ];
    return uses.flatMap(([what, paths]) => [
      ...(what.startsWith('The check') && paths.length === 0
        ? [`${what} of ${entity.name} names no attribute: write them in braces, {price} > 0`]
        : []),
      ...paths
        .filter((path) => !isStored(path, entity, entities))
        .map(
          (path) =>
            `${what} of ${entity.name} uses ${path}, which is no stored attribute${suggestion(path, storedNames(entity))}`,
        ),
    ]);
  });

const storedNames = ({ attributes }: Entity): readonly string[] =>
  [...attributes.values()].filter(({ persistent }) => persistent).map(({ name }) => name);

function isStored(path: string, entity: Entity, entities: ReadonlyMap<string, Entity>): boolean {
  const [name = '', inner] = path.split('.');
  const attribute = entity.attributes.get(name);
  if (attribute === undefined || !attribute.persistent) return false;
  if (inner === undefined) return true;
  return attribute.kind === 'embedded' && entities.get(attribute.target)?.attributes.has(inner) === true;
}
