import { empty, inPath, inQuery, json, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { NAME } from '../parameters.ts';

const route = routeOf('Current user');
const USERNAME = { ...inQuery('username', 'Another user: needs `second-factors.manage`', NAME), example: 'clerk' };
const FRESH =
  'The login must be at most ten minutes old, and have two factors if the user has a second one; else the response is 401 `insufficient_user_authentication`.';

/** Second factors of the caller, and of other users for administrators (contract/user.md#second-factors). */
export const secondFactorRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listSecondFactors', {
    summary: 'Second factors of the user',
    description: 'Returns the authenticator apps and passkeys, the oldest first, and how many recovery codes are left.',
    parameters: [USERNAME],
    responses: { 200: json('The second factors', ref('SecondFactors')) },
    errors: [406],
  }),
  route('delete', path, 'removeSecondFactors', {
    summary: 'Removes all second factors of the user',
    description: `Removes the recovery codes as well. ${FRESH} Those of another user need the specific policy \`second-factors.manage\`.`,
    parameters: [USERNAME],
    responses: { 200: json('How many were removed', ref('RemovedFactors')) },
    errors: [406],
  }),
  route('delete', `${path}/{factorId}`, 'removeSecondFactor', {
    summary: 'Removes one second factor',
    description: `With the last factor the recovery codes are removed. ${FRESH}`,
    parameters: [
      { ...inPath('factorId', 'The id of the factor'), example: '0d0f9e1c-6a8b-4d8e-9c53-0f6f2a0f9a11' },
      USERNAME,
    ],
    responses: { 204: empty('The factor is removed') },
  }),
  route('post', `${path}/totp`, 'offerAuthenticatorApp', {
    summary: 'A key for an authenticator app',
    description: `Nothing is stored until a code of the app confirms the key, within ten minutes. ${FRESH}`,
    responses: { 200: json('The key', ref('AppOffer')) },
    errors: [406],
  }),
  route('post', `${path}/totp/confirm`, 'confirmAuthenticatorApp', {
    summary: 'Adds an authenticator app',
    description: `Adds the app whose key was offered. With the first factor of a user come recovery codes, which are not shown again. ${FRESH}`,
    request: {
      ...json('The offer, the current code of the app, and a name for it', ref('AppConfirmation')),
      required: true,
    },
    responses: { 201: json('The app was added', ref('AddedFactor')) },
    errors: [406],
  }),
  route('post', `${path}/recovery-codes`, 'renewRecoveryCodes', {
    summary: 'New recovery codes',
    description: `They replace all former ones, and are not shown again. ${FRESH}`,
    responses: { 200: json('The codes', ref('RecoveryCodes')) },
    errors: [404, 406],
  }),
];
