import type { ValidationItem } from '@lintel/errors';
import { clearPasswordOf, PASSWORD } from '../graph/clear-password.ts';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { sizeText } from '../values/messages.ts';
import { sizeOf } from './check-rule.ts';

/** The violation of a new password that is too short; it is not repeated. */
export function checkPassword(
  { passwordMinLength, localize }: Pick<WriteScope, 'passwordMinLength' | 'localize'>,
  node: InstanceNode,
): readonly ValidationItem[] {
  const password = clearPasswordOf(node);
  if (password === undefined || sizeOf(password) >= passwordMinLength) return [];
  const attribute = node.layout.slots.get(PASSWORD)?.attribute;
  const max = attribute?.kind === 'datatype' ? attribute.length : undefined;
  const text = sizeText(passwordMinLength, max ?? Number.MAX_SAFE_INTEGER);
  return [
    {
      message: localize(text, node.entity.name),
      messageTemplate: text.messageTemplate,
      path: node.path === '' ? PASSWORD : `${node.path}.${PASSWORD}`,
      invalidValue: null,
    },
  ];
}
