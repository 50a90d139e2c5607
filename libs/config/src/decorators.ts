/**
 * For programs that import sources of an application themselves, such as its tests:
 * `node --import @lintel/config/decorators --test`.
 */
import { compileDecorators } from './application/compile-decorators.ts';

compileDecorators();
