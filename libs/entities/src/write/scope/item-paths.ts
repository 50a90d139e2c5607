import { isPlatformError, validationError } from '@lintel/errors';

/** Errors whose items have their final paths. */
const SETTLED = new WeakSet<Error>();

/**
 * Runs a save. Paths of the items of its refusal begin at its own roots; for a save by a listener they are not changed
 * further.
 */
export async function settlePaths<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (isPlatformError(error)) SETTLED.add(error);
    throw error;
  }
}

/**
 * Calls a listener, to which only its own instance is known. Items of its refusal get the path of the instance from the
 * sent root (contract/decisions.md#50).
 *
 * @param path of the instance; empty for the only root
 */
export async function withItemsBelow<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (path === '' || !isPlatformError(error) || error.items === undefined || SETTLED.has(error)) throw error;
    throw validationError(
      error.items.map((item) => ({ ...item, path: item.path === '' ? path : `${path}.${item.path}` })),
    );
  }
}
