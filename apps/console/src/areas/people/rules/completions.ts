import type { EntityInfo } from '@lintel/client';
import type { Completion } from '../../../controls/code-editor.tsx';

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
      .map((name) => ({ label: name, from: condition.length - typed.length }));
  const parameter = /:(\w*)$/.exec(condition);
  if (parameter !== null) return complete(parameter[1] ?? '', PARAMETERS);
  const path = /\{E\}\.((?:\w+\.)*)(\w*)$/.exec(condition);
  if (path === null) return /(^|[\s(])$/.test(condition) ? [{ label: '{E}.', from: condition.length }] : [];
  let entity = entities.get(entityName);
  for (const name of (path[1] ?? '').split('.').filter((each) => each !== '')) {
    const target = entity?.properties.find((property) => property.name === name)?.type;
    entity = target === undefined ? undefined : entities.get(target);
  }
  return complete(path[2] ?? '', entity?.properties.map(({ name }) => name) ?? []);
}
