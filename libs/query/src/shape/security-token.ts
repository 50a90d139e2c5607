import { type ExactJson, isExactObject } from '../json/exact-json.ts';
import { TOKEN_MEMBER } from '../plan/objects/plan-token.ts';
import type { TokenPlan } from '../plan/read-plan.ts';

/** Written last into every object (contract/row-policies.md#security-token). */
export const SECURITY_TOKEN = '__securityToken';

/** The content of a security token for one object. */
export interface TokenContent {
  /** Name of the concrete entity. */
  readonly entity: string;
  /** In its JSON form; absent for embedded objects and for the object form of a composite id. */
  readonly id?: ExactJson;
  /** Ids that row rules hid, by attribute; attributes with nothing hidden are absent. */
  readonly hidden: Readonly<Record<string, readonly ExactJson[]>>;
}

/** Makes the token's text; equal for equal contents. */
export type EncryptToken = (content: TokenContent) => string;

type Shaped = Readonly<Record<string, unknown>>;

/** The content of the token of a shaped object. `given` is the object as the statement returned it. */
export function tokenContent(given: Shaped, shaped: Shaped, plan: TokenPlan): TokenContent {
  const all = isExactObject(given[TOKEN_MEMBER]) ? given[TOKEN_MEMBER] : {};
  const hidden = plan.references.flatMap((name): (readonly [string, readonly ExactJson[]])[] => {
    const visibleIds = new Set(idsOf(shaped[name]).map(textOf));
    const ids = idsOf(all[name]).filter((id) => !visibleIds.has(textOf(id)));
    return ids.length === 0 ? [] : [[name, ids]];
  });
  const { _entityName: entity, id } = given;
  const isInstance = typeof entity === 'string';
  return {
    entity: isInstance ? entity : plan.entity,
    ...(isInstance && id !== undefined ? { id: id as ExactJson } : {}),
    hidden: Object.fromEntries(hidden),
  };
}

const idsOf = (value: unknown): readonly ExactJson[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    isExactObject(item) && item['id'] !== undefined ? [item['id']] : [],
  );

/** The object form of a composite id has a token of its own, which reveals nothing about the id. */
function textOf(id: ExactJson): string {
  if (!isExactObject(id)) return JSON.stringify(id);
  return JSON.stringify(Object.entries(id).filter(([name]) => name !== SECURITY_TOKEN));
}
