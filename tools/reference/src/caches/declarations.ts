// Packages that declare caches; what a package exports loads all of its modules.
import '@lintel/auth';
import '@lintel/data';
import '@lintel/files';
import '@lintel/gateway';
import '@lintel/http';
import '@lintel/persistence';
import '@lintel/reports';
import { type CacheDeclaration, declaredCaches } from '@lintel/cache';

/** The declarations of all caches of the platform, by name. Tests of the same process declare `test-…`. */
export const cacheDeclarations = (): readonly CacheDeclaration[] =>
  declaredCaches().filter(({ name }) => !name.startsWith('test-'));
