/** Parameters whose values the server fills in (contract/row-policies.md#policies, contract/queries.md#parameters). */
const NAMES: ReadonlySet<string> = new Set([
  'current_locale',
  'session$userId',
  'session$userLogin',
  'session$username',
]);
const PREFIXES = ['current_user_', 'session_'];

/** Whether the server fills in the parameter of that name. */
export const isComputedByServer = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);
