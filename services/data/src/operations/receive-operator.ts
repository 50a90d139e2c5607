import { PlatformError } from '@lintel/errors';
import { contextOf } from '@lintel/http';
import { type AccessOf, assertSpecific, type SpecificPermission } from '@lintel/security';
import type { Request, Response } from 'express';

const DENIED = 'User is not allowed to see or change this part of the operation';

/** Refuses a request whose caller does not have the permission, and none of those for a part of what it permits. */
export type OperatorGuard = (
  request: Request,
  response: Response,
  permission: SpecificPermission,
  ofParts?: readonly string[],
) => void;

/** The check of the routes of operators; their responses are of this moment, and must not be stored. */
export const receiveOperator =
  (accessOf: AccessOf): OperatorGuard =>
  (request, response, permission, ofParts = []) => {
    const { principal } = contextOf(request, response);
    if (principal.kind === 'anonymous') throw new PlatformError('ACCESS_DENIED', DENIED);
    assertSpecific(accessOf(principal), [permission, ...ofParts], 'ACCESS_DENIED', DENIED);
    response.setHeader('Cache-Control', 'no-store');
  };
