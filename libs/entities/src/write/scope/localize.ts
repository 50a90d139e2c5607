import { hasMessages, type MessageParameters, type Messages, messageGroupOf, resolveTemplate } from '@lintel/metadata';
import type { Localize } from '../values/messages.ts';
import type { WriteEnvironment, Writer } from './write-scope.ts';

/** Texts of violated rules in the writer's language, from the current messages. */
export function createLocalize(
  { currentMessages }: Pick<WriteEnvironment, 'currentMessages'>,
  { locale }: Writer,
): Localize {
  return localizeIn(currentMessages(), locale ?? '');
}

/** Texts of violated rules in a locale. */
export const localizeIn =
  (messages: Messages, locale: string): Localize =>
  (text, entityName) => {
    const group = messageGroupOf(entityName);
    const isComplete = hasMessages(messages, locale, text.messageTemplate, group);
    const { messageTemplate, parameters } = isComplete ? text : (text.otherwise ?? text);
    return resolveTemplate(messages, locale, messageTemplate, parameters, group);
  };

/** Returns the text of a key; the key itself if the text is missing. */
export const messageWith =
  (localize: Localize) =>
  (key: string, parameters: MessageParameters = {}): string => {
    const messageTemplate = `{msg:///${key}}`;
    const text = localize({ messageTemplate, parameters }, '');
    return text === messageTemplate ? key : text;
  };
