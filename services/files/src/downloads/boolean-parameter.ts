import { PlatformError } from '@lintel/errors';

/** A boolean query parameter; absent and empty are false. The accepted texts are those of the reference. */
export function parseBooleanParameter(name: string, text: string | undefined): boolean {
  switch (text?.trim().toLowerCase() ?? '') {
    case 'true':
    case 'on':
    case 'yes':
    case '1':
      return true;
    case '':
    case 'false':
    case 'off':
    case 'no':
    case '0':
      return false;
    default:
      throw new PlatformError('REQ_INVALID_PARAMETER', `The query parameter "${name}" must be true or false`);
  }
}
