import { nearestName } from '@lintel/errors';
import type { Messages } from '@lintel/metadata';
import { type RoleRegistry, SPECIFIC_PERMISSIONS } from '@lintel/security';
import type { ApplicationDefinition } from '../application.ts';

const PERMISSION = /\b(?:isPermitted|hasSpecific)\(\s*(['"`])([^'"`$]+)\1/g;
const MESSAGE = /\bmessage\(\s*(['"`])([^'"`$]+)\1/g;

/** More letters that differ are another name. */
const MAX_CHANGES = 2;

type Code = Pick<ApplicationDefinition, 'services' | 'listeners' | 'controllers' | 'reports' | 'onLogin'>;

/**
 * Names of permissions and messages that do not exist and resemble others, one sentence each: such a
 * permission is never granted, and such a message shows its key. Names in code are literals in calls of `isPermitted`, `hasSpecific` and
 * `message`, in the text of the functions and classes that the application hands over.
 */
export function nearMisses(
  { services, listeners, controllers, reports, onLogin }: Code,
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
  messages: Pick<Messages, 'layers'>,
): readonly string[] {
  const granted = [...resourceRoles.values()].flatMap(({ policies }) =>
    policies.flatMap((policy) => (policy.kind === 'specific' ? [policy.name] : [])),
  );
  const keys = messages.layers.flat().flatMap(({ texts }) => Object.keys(texts));
  const code = sourceOf([services, listeners, controllers, reports, onLogin]);
  const namesIn = (call: RegExp): readonly string[] => [...code.matchAll(call)].map(([, , name = '']) => name);
  return [
    ...nearby(granted, ['*', ...SPECIFIC_PERMISSIONS], (name) => `A role grants the permission ${name}`),
    ...nearby(namesIn(PERMISSION), [...SPECIFIC_PERMISSIONS, ...granted], (name) => `The code asks for ${name}`),
    ...nearby(namesIn(MESSAGE), keys, (key) => `The code uses the message ${key}`),
  ];
}

function nearby(
  names: readonly string[],
  known: readonly string[],
  sentence: (name: string) => string,
): readonly string[] {
  const exact = new Set(known);
  return [...new Set(names)].flatMap((name) => {
    const nearest = exact.has(name) ? undefined : nearestName(name, known, { maxChanges: MAX_CHANGES });
    return nearest === undefined ? [] : [`${sentence(name)}, which does not exist; did you mean ${nearest}?`];
  });
}

/** The text of the functions and classes in a value. */
function sourceOf(value: unknown, seen = new Set<unknown>()): string {
  if (seen.has(value)) return '';
  seen.add(value);
  if (typeof value === 'function') return `${Function.prototype.toString.call(value)}\n`;
  if (typeof value !== 'object' || value === null) return '';
  const ofClass: unknown = Object.getPrototypeOf(value)?.constructor;
  const members = Object.values(Object.getOwnPropertyDescriptors(value)).map((member): unknown => member.value);
  return [...members, ofClass].map((each) => sourceOf(each, seen)).join('');
}
