import { formatMessage, type MessageParameters } from './format-message.ts';
import type { Messages } from './messages.ts';

/** `{msg://group/key}`, `{msg:///key}`, `{msg://key}`; `{a.b.message}` of a default text. */
const REFERENCE = /\{(?:msg:\/\/([^{}\s]+)|([A-Za-z]\w*(?:\.\w+)+))\}/g;

/**
 * The readable text of a validation rule's template in a locale: references to messages become their
 * texts, then parameters are filled (contract/writing.md#validation). A reference to a missing message
 * stays unchanged.
 *
 * @param group package that `{msg://key}` belongs to, `sales` for rules of `sales_Order`
 */
export function resolveTemplate(
  messages: Messages,
  locale: string,
  template: string,
  parameters: MessageParameters,
  group: string,
): string {
  const text = template.replace(REFERENCE, (whole, path: string | undefined, dotted: string | undefined) => {
    const found =
      path === undefined
        ? messages.find(dotted ?? '', locale)
        : keysOf(path, group)
            .map((key) => messages.find(key, locale))
            .find((one) => one !== undefined);
    return found ?? whole;
  });
  return formatMessage(text, parameters, locale);
}

/** `msg:///key` names no package; a key without one is looked for in the rule's own, then without. */
function keysOf(path: string, group: string): readonly string[] {
  if (path.startsWith('/')) return [path.slice(1)];
  if (path.includes('/') || group === '') return [path];
  return [`${group}/${path}`, path];
}

/** Whether every message that a template refers to as `{msg://…}` has a text in the locale. */
export const hasMessages = (messages: Messages, locale: string, template: string, group: string): boolean =>
  referencedKeys(template, group).every((keys) => keys.some((key) => messages.find(key, locale) !== undefined));

/** The keys of messages that a template refers to, without the texts of the platform. */
export const referencedKeys = (template: string, group: string): readonly (readonly string[])[] =>
  [...template.matchAll(REFERENCE)].flatMap(([, path]) => (path === undefined ? [] : [keysOf(path, group)]));
