import { StartError } from './start-error.ts';

/** Packages that an installation has only if it needs them. */
export interface OptionalPackages {
  /** What needs them, as the plural subject of a sentence: `PDF documents of HTML`. */
  readonly purpose: string;
  /** Names with the versions that the platform is tested with: `playwright-core@1.65.1`. */
  readonly packages: readonly string[];
}

/** Optional packages are needed and not installed. The message is a sentence with the command that installs them. */
export class MissingPackageError extends StartError {
  constructor({ purpose, packages }: OptionalPackages, options?: ErrorOptions) {
    super(
      `${purpose} need ${packages.length === 1 ? 'a package that is' : 'packages that are'} not installed: run "npm install ${packages.join(' ')}" in the folder of the application`,
      options,
    );
    this.name = 'MissingPackageError';
  }
}

/**
 * Imports packages that may be missing.
 *
 * @param load imports the packages, or a module that imports them
 * @throws MissingPackageError if one is not installed; other errors as they are
 */
export async function importOptional<T>(optional: OptionalPackages, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (optional.packages.some((one) => isMissing(error, one.slice(0, one.lastIndexOf('@')))))
      throw new MissingPackageError(optional, { cause: error });
    throw error;
  }
}

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
  error.message.includes(`'${name}'`);
