import { isPlatformError } from '@lintel/errors';
import { CommandError } from '../command-error.ts';

/** Runs a write; a refusal by the rules of the model becomes one sentence that names the attributes. */
export async function explainingRefusals<T>(subject: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    const items = error.items ?? [];
    const problems = items.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new CommandError(`${subject} is not valid: ${problems || error.message}`, 'Nothing was written', {
      cause: error,
    });
  }
}
