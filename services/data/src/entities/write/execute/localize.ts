import { messageGroupOf, resolveTemplate } from '@lintel/metadata';
import type { Localize } from '../validate/messages.ts';
import type { WriteEnvironment, Writer } from './write-scope.ts';

/** Texts of violated rules in the writer's language, from the messages of this moment. */
export function createLocalize(
  { currentMessages }: Pick<WriteEnvironment, 'currentMessages'>,
  { locale }: Writer,
): Localize {
  const messages = currentMessages();
  return ({ messageTemplate, parameters }, entityName) =>
    resolveTemplate(messages, locale ?? '', messageTemplate, parameters, messageGroupOf(entityName));
}
