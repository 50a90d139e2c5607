import type { ReturnPreference } from '@lintel/entities';
import { preferencesOf } from '@lintel/http';

/** The preference `return` of a write; other values are ignored (RFC 7240 §2). */
export function returnPreferenceOf(header: string | string[] | undefined): ReturnPreference | undefined {
  if (header === undefined) return undefined;
  const value = preferencesOf(header).get('return');
  return value === 'minimal' || value === 'representation' ? value : undefined;
}
