import { type Key, keyText } from '../values/value.ts';
import { cannotDeserialize } from './deserialization-error.ts';

/** @throws PlatformError for two items of a batch with the same id (contract/decisions.md#18) */
export function assertDistinct(keys: readonly Key[]): void {
  if (new Set(keys.map(keyText)).size < keys.length) throw cannotDeserialize('Two items of the batch have the same id');
}
