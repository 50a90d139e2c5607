import type { EntityInfo, NumberAttributes, NumberKinds } from '@lintel/client';

/** Datatypes whose values a JavaScript number may change. */
const EXACT = new Set(['decimal', 'long', 'bigInteger']);

/** The attributes whose numbers the client returns as texts with all digits; those of embedded objects are nested. */
export function numberKindsOf(entities: readonly EntityInfo[]): NumberKinds {
  const byName = new Map(entities.map((entity) => [entity.entityName, entity]));
  const attributesOf = (entity: EntityInfo, above: ReadonlySet<string>): NumberAttributes => {
    const kinds: Record<string, true | NumberAttributes> = {};
    for (const { name, attributeType, type } of entity.properties) {
      if (attributeType === 'DATATYPE' && EXACT.has(type)) kinds[name] = true;
      const embedded = attributeType === 'EMBEDDED' ? byName.get(type) : undefined;
      if (embedded === undefined || above.has(type)) continue;
      const nested = attributesOf(embedded, new Set([...above, type]));
      if (Object.keys(nested).length > 0) kinds[name] = nested;
    }
    return kinds;
  };
  const all = entities.map((entity) => [entity.entityName, attributesOf(entity, new Set())] as const);
  return Object.fromEntries(all.filter(([, kinds]) => Object.keys(kinds).length > 0));
}
