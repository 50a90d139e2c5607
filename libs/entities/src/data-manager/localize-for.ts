import type { Principal } from '@lintel/contracts';
import { createLocalize } from '../write/scope/localize.ts';
import type { WriteEnvironment } from '../write/scope/write-scope.ts';
import { plainText } from '../write/values/messages.ts';

/** Puts texts of application code into the caller's language; `{msg://key}` is of the application's own package. */
export function localizeFor(
  environment: Pick<WriteEnvironment, 'currentMessages'>,
  principal: Principal,
  applicationId: string,
): (text: string) => string {
  const localize = createLocalize(environment, principal);
  return (text) => localize(plainText(text), `${applicationId}_`);
}
