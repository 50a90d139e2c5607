import type { EntityInfo } from '@lintel/client';

/** What can follow a condition that ends within a path or a parameter. */
export interface Completion {
  /** The condition with the completion. */
  readonly value: string;
  readonly label: string;
}

const MAX = 12;
const USER = ['id', 'username', 'firstName', 'lastName', 'email', 'locale', 'country', 'timeZoneId'];
const PARAMETERS = [...USER.map((name) => `current_user_${name}`), 'current_locale'];

/** Attributes after `{E}.` and references of it, and parameters after `:`, at the end of a condition. */
export function completionsOf(
  entities: ReadonlyMap<string, EntityInfo>,
  entityName: string,
  condition: string,
): readonly Completion[] {
  const complete = (typed: string, names: readonly string[]): readonly Completion[] =>
    names
      .filter((name) => name.startsWith(typed) && name !== typed)
      .slice(0, MAX)
      .map((name) => ({ value: condition.slice(0, condition.length - typed.length) + name, label: name }));
  const parameter = /:(\w*)$/.exec(condition);
  if (parameter !== null) return complete(parameter[1] ?? '', PARAMETERS);
  const path = /\{E\}\.((?:\w+\.)*)(\w*)$/.exec(condition);
  if (path === null) return /(^|[\s(])$/.test(condition) ? [{ value: `${condition}{E}.`, label: '{E}.' }] : [];
  let entity = entities.get(entityName);
  for (const name of (path[1] ?? '').split('.').filter((each) => each !== '')) {
    const target = entity?.properties.find((property) => property.name === name)?.type;
    entity = target === undefined ? undefined : entities.get(target);
  }
  return complete(path[2] ?? '', entity?.properties.map(({ name }) => name) ?? []);
}
