import { registerHooks } from 'node:module';

/** Resolves packages of the platform that an application imports to those of this command where its folder has none. */
export function resolvePlatformPackages(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!specifier.startsWith('@lintel/')) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
