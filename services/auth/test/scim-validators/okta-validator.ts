import { GROUP, USER } from '../scim-client.ts';
import { failure, found, patch, type Validator } from './validator-step.ts';

const USER_OF_OKTA = {
  schemas: [USER],
  userName: 'runscope300mhmm@atko.example',
  name: { givenName: 'Random', familyName: 'Person' },
  emails: [{ primary: true, value: 'runscope300mhmm@atko.example', type: 'work' }],
  displayName: 'Random Person',
  active: true,
};
const JSON_OF_OKTA = { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' };

/** The requests of the specification test of Okta for SCIM 2.0, and of its provisioning. */
export const oktaValidator: Validator = {
  headers: {
    accept: 'application/scim+json',
    'accept-charset': 'utf-8',
    'content-type': 'application/scim+json; charset=utf-8',
    'user-agent': 'OKTA SCIM Integration',
  },
  steps: {
    'a user exists before the test': {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [USER],
        userName: 'test.user@okta.local',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
      status: 201,
      shows: { active: true, locale: 'en-US' },
      keep: 'first',
    },
    'Test Users endpoint': {
      method: 'GET',
      path: '/Users?count=1&startIndex=1',
      status: 200,
      shows: {
        itemsPerPage: 1,
        startIndex: 1,
        totalResults: 1,
        Resources: [
          {
            id: '{first}',
            name: { familyName: 'User', givenName: 'Test' },
            userName: 'test.user@okta.local',
            active: true,
            emails: [{ value: 'test.user@okta.local' }],
          },
        ],
      },
    },
    'Get Users/{id}': {
      method: 'GET',
      path: '/Users/{first}',
      status: 200,
      shows: { id: '{first}', name: { familyName: 'User' }, emails: [{ value: 'test.user@okta.local' }] },
    },
    'Test invalid User by username': {
      method: 'GET',
      path: '/Users?filter=userName eq "abcdefgh@atko.example"',
      status: 200,
      shows: found(),
    },
    'Test invalid User by ID': { method: 'GET', path: '/Users/010101001010101011001010101011', status: 404 },
    'Create Okta user with realistic values': {
      method: 'POST',
      path: '/Users',
      body: USER_OF_OKTA,
      headers: JSON_OF_OKTA,
      status: 201,
      shows: USER_OF_OKTA,
      keep: 'user',
    },
    'Verify that user was created': { method: 'GET', path: '/Users/{user}', status: 200, shows: USER_OF_OKTA },
    'Expect failure when recreating user with same values': {
      method: 'POST',
      path: '/Users',
      body: USER_OF_OKTA,
      headers: JSON_OF_OKTA,
      status: 409,
      shows: failure(409),
    },
    'Username Case Sensitivity Check': {
      method: 'GET',
      path: '/Users?filter=userName eq "RUNSCOPE300MHMM@ATKO.EXAMPLE"',
      status: 200,
      shows: found({ id: '{user}' }),
    },
    'Verify Groups endpoint': { method: 'GET', path: '/Groups', status: 200, shows: found() },
    'Check status 401': {
      method: 'GET',
      path: '/Users?filter=userName eq "RUNSCOPE300MHMM@ATKO.EXAMPLE"',
      headers: { authorization: 'non-token' },
      status: 401,
      shows: failure(401),
    },
    'Check status 404': { method: 'GET', path: '/Users/00919288221112222', status: 404, shows: failure(404) },
    'import of users, page by page': {
      method: 'GET',
      path: '/Users?startIndex=2&count=100',
      status: 200,
      shows: { totalResults: 2, startIndex: 2, itemsPerPage: 1 },
    },
    'update of a profile': {
      method: 'PUT',
      path: '/Users/{user}',
      body: {
        ...USER_OF_OKTA,
        id: '{user}',
        name: { givenName: 'Another', familyName: 'Person' },
        groups: [],
        meta: { resourceType: 'User' },
      },
      status: 200,
      shows: { id: '{user}', name: { givenName: 'Another', familyName: 'Person' }, active: true },
    },
    'deactivation of a user': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'replace', value: { active: false } }),
      status: 200,
      shows: { id: '{user}', active: false },
    },
    'reactivation of a user': {
      method: 'PUT',
      path: '/Users/{user}',
      body: { ...USER_OF_OKTA, id: '{user}' },
      status: 200,
      shows: { active: true },
    },
    'Push Groups: creation': {
      method: 'POST',
      path: '/Groups',
      body: { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] },
      status: 201,
      shows: { displayName: 'Test SCIMv2', members: [] },
      keep: 'group',
    },
    'Push Groups: list': {
      method: 'GET',
      path: '/Groups?startIndex=1&count=100',
      status: 200,
      shows: found({ id: '{group}' }),
    },
    'Push Groups: members': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({
        op: 'add',
        path: 'members',
        value: [
          { value: '{first}', display: 'test.user@okta.local' },
          { value: '{user}', display: 'runscope300mhmm@atko.example' },
        ],
      }),
      status: 204,
    },
    'Push Groups: a member leaves, another is there already': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch(
        { op: 'remove', path: 'members[value eq "{first}"]' },
        { op: 'add', path: 'members', value: [{ value: '{user}', display: 'runscope300mhmm@atko.example' }] },
      ),
      status: 204,
    },
    'Push Groups: new name, with its id': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({ op: 'replace', value: { id: '{group}', displayName: 'Renamed SCIMv2' } }),
      status: 204,
    },
    'Push Groups: the result': {
      method: 'GET',
      path: '/Groups/{group}',
      status: 200,
      shows: { displayName: 'Renamed SCIMv2', members: [{ value: '{user}' }] },
    },
    'Push Groups: all members leave': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({ op: 'replace', path: 'members', value: [] }),
      status: 204,
    },
    'Push Groups: deletion': { method: 'DELETE', path: '/Groups/{group}', status: 204 },
  },
};
