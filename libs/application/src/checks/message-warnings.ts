import { suggestion } from '@lintel/errors';
import { constraintMessagesOf, type Messages, messageGroupOf, referencedKeys } from '@lintel/metadata';
import type { Application } from '../application.ts';

/** The text of a rule, and where the rule is declared. */
interface OwnText {
  readonly where: string;
  readonly text: string | undefined;
  /** Package of `{msg://key}`. */
  readonly group: string;
}

/**
 * Rules whose own text refers to a message that a locale lacks, one sentence each. They are no reason to refuse the
 * start: the text may be added to the database later, and until then callers get the default text.
 *
 * @param locales `svc.core.available-locales`
 */
export const messageWarnings = (
  application: Pick<Application, 'entities' | 'model' | 'restServices'>,
  messages: Messages,
  locales: readonly string[],
): readonly string[] => {
  const known = messages.layers.flat().flatMap(({ texts }) => Object.keys(texts));
  const hint = (key = ''): string => (known.includes(key) ? '' : suggestion(key, known));
  return ownTexts(application).flatMap(({ where, text = '', group }) =>
    referencedKeys(text, group).flatMap((keys) => {
      const lacking = locales.filter((locale) => keys.every((key) => messages.find(key, locale) === undefined));
      return lacking.length === 0
        ? []
        : [
            `The text ${text} of a rule of ${where} refers to a message that does not exist in ${lacking.join(', ')}: users get the default text of the rule; add ${keys[0]} to the messages files${hint(keys[0])}`,
          ];
    }),
  );
};

function ownTexts({
  model,
  entities,
  restServices,
}: Pick<Application, 'entities' | 'model' | 'restServices'>): readonly OwnText[] {
  const ofEntities = entities.flatMap(({ name }) => {
    const entity = model.entities.get(name);
    if (entity === undefined) return [];
    const group = messageGroupOf(name);
    return [
      ...[...entity.rules.map(({ message }) => message), ...constraintMessagesOf(entity)].map((text) => ({
        where: name,
        text,
        group,
      })),
      ...[...entity.attributes.values()]
        .filter(({ declaredBy }) => declaredBy === name)
        .flatMap((attribute) =>
          attribute.rules.map(({ message }) => ({ where: `${name}.${attribute.name}`, text: message, group })),
        ),
    ];
  });
  const ofMethods = [...restServices.values()].flatMap((service) =>
    service.methods.flatMap((method) =>
      [...method.parameters.flatMap(({ rules }) => rules), ...method.returns.rules].map(({ message }) => ({
        where: `${service.name}.${method.name}`,
        text: message,
        group: messageGroupOf(service.name),
      })),
    ),
  );
  return [...ofEntities, ...ofMethods];
}
