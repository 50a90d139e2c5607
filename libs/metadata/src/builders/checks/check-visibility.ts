import { visibleOwnershipsOf } from '../../entities/ownerships.ts';
import { familyTreeOf, type Model } from '../../model.ts';

/** Compositions that lead back to their entity: nothing would decide which of its instances are visible. */
export function checkVisibility(model: Model): readonly string[] {
  return [...model.entities.values()].flatMap((entity) => {
    const names = new Set(familyTreeOf(model, entity).map(({ name }) => name));
    return visibleOwnershipsOf(model, entity)
      .filter(({ owner }) => isBelow(model, owner.name, names, new Set()))
      .map(
        ({ owner, attribute }) =>
          `${owner.name}.${attribute.name} cannot give its children the visibility of their owner: ${entity.name} would be among its own owners; use .visibility('own')`,
      );
  });
}

/** Whether the entity, or an owner of it at any level, is one of those. */
function isBelow(model: Model, name: string, names: ReadonlySet<string>, seen: Set<string>): boolean {
  if (names.has(name)) return true;
  if (seen.has(name)) return false;
  seen.add(name);
  const entity = model.entities.get(name);
  return (
    entity !== undefined &&
    familyTreeOf(model, entity).some((member) =>
      visibleOwnershipsOf(model, member).some(({ owner }) => isBelow(model, owner.name, names, seen)),
    )
  );
}
