export { ERROR_CODES, type ErrorCode } from './codes.ts';
export { errorCodeOf } from './error-code-of.ts';
export { importOptional, MissingPackageError, type OptionalPackages } from './import-optional.ts';
export { insufficientAuthentication, type NeededAuthentication } from './insufficient-authentication.ts';
export {
  costExceeded,
  isPlatformError,
  PlatformError,
  type PlatformErrorOptions,
  type ValidationItem,
  validationError,
  withoutEffect,
} from './platform-error.ts';
export { shortened } from './shortened.ts';
export { isStartError, StartError } from './start-error.ts';
export { nearestName, suggestion } from './suggestion.ts';
