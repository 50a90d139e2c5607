import type { ServiceMethod, ValueForm } from '@lintel/application';
import { checkRule, type Localize, type Now } from '@lintel/entities';
import { type ValidationItem, validationError } from '@lintel/errors';
import type { Datatype, ValidationRule } from '@lintel/metadata';
import type { ExactObject } from '@lintel/query';

/** Dependencies of the check of a call. */
export interface CallCheck {
  /** The prefix of the message keys of the application. */
  readonly serviceName: string;
  readonly now: Now;
  readonly localize: Localize;
}

/**
 * Checks the rules of the parameters before a call (contract/writing.md#validation).
 *
 * @param supplied the parameters as sent, for `invalidValue`
 * @throws PlatformError DATA_VALIDATION_FAILED with an item `<method>.<parameter>` for each violation
 */
export function validateParameters(
  method: ServiceMethod,
  values: Readonly<Record<string, unknown>>,
  supplied: ExactObject,
  check: CallCheck,
): void {
  throwIfAny(
    method.parameters.flatMap(({ name, form, rules }) =>
      itemsOf(form, rules, values[name], `${method.name}.${name}`, supplied[name] ?? null, check),
    ),
  );
}

/**
 * Checks the rules of the result.
 *
 * @throws PlatformError DATA_VALIDATION_FAILED with the path `<method>.<return value>`
 */
export function validateResult({ name, returns }: ServiceMethod, value: unknown, check: CallCheck): void {
  // The computed value may be confidential: only the rule is reported.
  throwIfAny(itemsOf(returns.form, returns.rules, value, `${name}.<return value>`, null, check));
}

function itemsOf(
  form: ValueForm,
  rules: readonly ValidationRule[],
  value: unknown,
  path: string,
  invalidValue: unknown,
  { serviceName, now, localize }: CallCheck,
): readonly ValidationItem[] {
  const datatype: Datatype | undefined = form.kind === 'datatype' ? form.datatype : undefined;
  return rules.flatMap((rule) => {
    const text = checkRule(rule, value, datatype, now);
    if (text === undefined) return [];
    return [{ message: localize(text, serviceName), messageTemplate: text.messageTemplate, path, invalidValue }];
  });
}

function throwIfAny(items: readonly ValidationItem[]): void {
  if (items.length > 0) throw validationError(items);
}
