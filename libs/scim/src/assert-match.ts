import { matchesEntityTag } from '@lintel/http';
import { ScimFailure } from './protocol/scim-failure.ts';

/** @throws ScimFailure 412 if the header names another version */
export function assertMatch(ifMatch: string | undefined, version: string | number): void {
  if (ifMatch !== undefined && !matchesEntityTag(ifMatch, `"${version}"`))
    throw new ScimFailure(412, 'If-Match: the resource has another version');
}
