import type { ValidationItem } from '@lintel/errors';
import { clearPasswordOf, PASSWORD } from '../graph/clear-password.ts';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type RuleText, sizeText, weakPasswordText } from '../values/messages.ts';

/** Attributes of the user that a password must not consist of. */
const PERSONAL = ['username', 'email', 'firstName', 'lastName'] as const;

/** The violation of a new password that is too short or can be guessed; the password is not repeated. */
export function checkPassword(
  { passwordPolicy, localize }: Pick<WriteScope, 'passwordPolicy' | 'localize'>,
  node: InstanceNode,
): readonly ValidationItem[] {
  const password = clearPasswordOf(node);
  if (password === undefined || passwordPolicy === undefined) return [];
  const personal = PERSONAL.map((name) => node.after.get(name)).filter((value) => typeof value === 'string');
  const weakness = passwordPolicy.weaknessOf(password, personal);
  if (weakness === undefined) return [];
  const text = weakness === 'too-short' ? tooShort(node, passwordPolicy.minLength) : weakPasswordText(weakness);
  return [
    {
      message: localize(text, node.entity.name),
      messageTemplate: text.messageTemplate,
      path: node.path === '' ? PASSWORD : `${node.path}.${PASSWORD}`,
      invalidValue: null,
    },
  ];
}

function tooShort({ layout }: InstanceNode, minLength: number): RuleText {
  const attribute = layout.slots.get(PASSWORD)?.attribute;
  const max = attribute?.kind === 'datatype' ? attribute.length : undefined;
  return sizeText(minLength, max ?? Number.MAX_SAFE_INTEGER);
}
