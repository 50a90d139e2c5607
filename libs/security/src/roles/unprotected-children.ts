import { type Entity, entityOf, familyTreeOf, lineageOf, type Model } from '@lintel/metadata';
import type { RowLevelRole } from './role.ts';

/**
 * Children of entities of which a row-level role hides rows, that nothing hides with their owner, one sentence each with
 * a proposal: their composition has no visibility, and no policy of the role is about them.
 */
export const unprotectedChildren = (model: Model, roles: Iterable<RowLevelRole>): readonly string[] =>
  [...roles].flatMap((role) => problemsOf(model, role));

function problemsOf(model: Model, { code, policies }: RowLevelRole): readonly string[] {
  const named = new Set(
    policies.filter(({ actions }) => (actions ?? ['read']).includes('read')).map(({ entity }) => entity),
  );
  const hasPolicy = (entity: Entity): boolean => lineageOf(model, entity).some(({ name }) => named.has(name));
  const problems = new Set<string>();
  const seen = new Set<Entity>();
  const open = [...named].flatMap((name) => model.entities.get(name) ?? []);
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    if (seen.has(owner)) continue;
    seen.add(owner);
    for (const member of familyTreeOf(model, owner))
      for (const attribute of member.attributes.values()) {
        if (attribute.kind !== 'reference' || !attribute.composition) continue;
        const child = entityOf(model, attribute.target);
        if (attribute.visibility === 'owner') open.push(child);
        else if (attribute.visibility === undefined && !hasPolicy(child))
          problems.add(
            `Row-level role ${code} hides rows of ${owner.name}, and not their children ${child.name}: add .visibility('owner') to ${attribute.declaredBy}.${attribute.name} or a policy on ${child.name}, or .visibility('own') if they are no secret`,
          );
      }
  }
  return [...problems];
}
