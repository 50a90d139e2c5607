import {
  appOfferSchema,
  confirmAppResponseSchema,
  recoveryCodesResponseSchema,
  removeFactorsResponseSchema,
  secondFactorsResponseSchema,
} from '@lintel/contracts';
import { type HttpUserSessionsOptions, postToAuth } from './http-user-sessions.ts';
import type { SecondFactorDirectory } from './second-factors.ts';

/** Calls `POST /internal/second-factors` of auth. */
export function createHttpSecondFactors(options: HttpUserSessionsOptions): SecondFactorDirectory {
  const post = postToAuth(options, 'Second factors cannot be read or changed now');
  const path = '/internal/second-factors';
  return {
    list: async (username) => secondFactorsResponseSchema.parse(await post(path, { username })),
    offer: async (username) => appOfferSchema.parse(await post(`${path}/offer`, { username })),
    confirm: async (request) => confirmAppResponseSchema.parse(await post(`${path}/confirm`, request)),
    remove: async (request) => removeFactorsResponseSchema.parse(await post(`${path}/remove`, request)).removed,
    renewRecoveryCodes: async (username) =>
      recoveryCodesResponseSchema.parse(await post(`${path}/recovery-codes`, { username })).recoveryCodes,
  };
}
