import { randomUUID } from 'node:crypto';
import { GROUP, USER } from '../scim-client.ts';
import { failure, found, patch, type Validator } from './validator-step.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const NO_ID = randomUUID();

const USER_OF_ENTRA = {
  schemas: [USER, ENTERPRISE],
  userName: 'ford_purdy@abernathy.example',
  active: true,
  displayName: 'KEGJDMBTZXPD',
  title: 'FOQHFHJQWIKN',
  emails: [{ type: 'work', value: 'tressie@brown.example', primary: true }],
  preferredLanguage: 'en-TT',
  name: { givenName: 'Lucie', familyName: 'Grayce', formatted: 'Lucie Grayce', middleName: 'Margie' },
  addresses: [{ type: 'work', locality: 'ABDRTDIQFQMG', primary: true }],
  phoneNumbers: [{ type: 'work', value: '07-272-0828', primary: true }],
  roles: [{ primary: 'True', display: 'KEGJDMBTZXPD', value: 'YFPHYSVYNPPK', type: 'ABDRTDIQFQMG' }],
  externalId: '5d0aae0e-a7b5-4b4b-bb1f-1a8c3a0b2c44',
  [ENTERPRISE]: { employeeNumber: 'VTNXMVHLRYYD', department: 'PNHWTAPVGQFD', manager: { value: 'AXTKDLNRKMKT' } },
};
const SHOWN_OF_ENTRA = {
  userName: 'ford_purdy@abernathy.example',
  active: true,
  displayName: 'KEGJDMBTZXPD',
  emails: [{ type: 'work', value: 'tressie@brown.example', primary: true }],
  preferredLanguage: 'en-TT',
  name: { givenName: 'Lucie', familyName: 'Grayce', formatted: 'Lucie Grayce' },
  externalId: '5d0aae0e-a7b5-4b4b-bb1f-1a8c3a0b2c44',
};
const GROUP_OF_ENTRA = {
  schemas: [GROUP],
  displayName: 'UHYYWKURUTZS',
  externalId: 'c420a4bf-cb0d-415a-98ff-bb3c12b0b2e3',
};
const user = (changes: object) => ({ ...SHOWN_OF_ENTRA, ...changes });
const RENAMED = 'emilio@hermann.example';

/** The requests of the SCIM validator of Entra ID, and of its provisioning. */
export const entraIdValidator: Validator = {
  headers: { 'content-type': 'application/scim+json; charset=utf-8' },
  steps: {
    'Test Connection looks for a user that does not exist': {
      method: 'GET',
      path: `/Users?filter=userName eq "${NO_ID}"`,
      status: 200,
      shows: found(),
    },
    'Create a new User': {
      method: 'POST',
      path: '/Users',
      body: USER_OF_ENTRA,
      status: 201,
      shows: SHOWN_OF_ENTRA,
      keep: 'user',
    },
    'Create a duplicate User': {
      method: 'POST',
      path: '/Users',
      body: USER_OF_ENTRA,
      status: 409,
      shows: { ...failure(409), scimType: 'uniqueness' },
    },
    'Filter for an existing user': {
      method: 'GET',
      path: '/Users?filter=userName+eq+"ford_purdy@abernathy.example"',
      status: 200,
      shows: found({ id: '{user}', ...SHOWN_OF_ENTRA }),
    },
    'Filter for an existing user with a different case': {
      method: 'GET',
      path: '/Users?filter=userName+eq+"FORD_PURDY@ABERNATHY.EXAMPLE"',
      status: 200,
      shows: found({ id: '{user}' }),
    },
    'Filter for an existing user by externalId, with the flag of the tenant URL': {
      method: 'GET',
      path: `/Users?aadOptscim062020&filter=externalId+eq+"${USER_OF_ENTRA.externalId}"`,
      status: 200,
      shows: found({ id: '{user}' }),
    },
    'Filter for a non-existing user': {
      method: 'GET',
      path: '/Users?filter=userName+eq+"missing@abernathy.example"',
      status: 200,
      shows: found(),
    },
    'Get user by id': { method: 'GET', path: '/Users/{user}', status: 200, shows: { id: '{user}', ...SHOWN_OF_ENTRA } },
    'Get a non-existing user by id': { method: 'GET', path: `/Users/${NO_ID}`, status: 404, shows: failure(404) },
    'Patch User - Replace Attributes': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch(
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'lilian@mills.example' },
        { op: 'replace', path: 'emails[type eq "work"].primary', value: true },
        { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '07-272-0829' },
        { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '2809 Johns Walk' },
        {
          op: 'replace',
          value: { displayName: 'XKRLQYJBIWQM', 'name.givenName': 'Abe', [`${ENTERPRISE}:department`]: 'KMYVNUJVVZWC' },
        },
      ),
      status: 200,
      shows: user({
        displayName: 'XKRLQYJBIWQM',
        name: { givenName: 'Abe', familyName: 'Grayce', formatted: 'Abe Grayce' },
        emails: [{ type: 'work', value: 'lilian@mills.example', primary: true }],
      }),
    },
    'Patch User - Add Attributes': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch(
        { op: 'add', path: 'emails[type eq "work"].value', value: 'added@mills.example' },
        { op: 'add', value: { preferredLanguage: 'de', 'name.familyName': 'Added', title: 'ABDRTDIQFQMG' } },
      ),
      status: 200,
      shows: {
        preferredLanguage: 'de',
        name: { familyName: 'Added' },
        emails: [{ type: 'work', value: 'added@mills.example', primary: true }],
      },
    },
    'Patch User - Multiple Ops on different attributes': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch(
        { op: 'remove', path: 'emails[type eq "work"].value' },
        { op: 'add', path: 'displayName', value: 'added' },
        { op: 'replace', path: 'name.familyName', value: 'replaced' },
      ),
      status: 200,
      shows: { displayName: 'added', name: { familyName: 'replaced' } },
      lacks: 'emails',
    },
    'Patch User - Multiple Ops on same attribute': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch(
        { op: 'remove', path: 'displayName' },
        { op: 'add', path: 'displayName', value: 'first' },
        { op: 'replace', path: 'displayName', value: 'last' },
      ),
      status: 200,
      shows: { displayName: 'last' },
    },
    'Patch User - without operations': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch(),
      status: 200,
      shows: { displayName: 'last' },
    },
    'Update User userName': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'replace', value: { userName: RENAMED } }),
      status: 200,
      shows: { id: '{user}', userName: RENAMED },
    },
    'Disable User': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'replace', path: 'active', value: false }),
      status: 200,
      shows: { active: false },
    },
    'a disabled user is found': {
      method: 'GET',
      path: `/Users?filter=userName+eq+"${RENAMED}"`,
      status: 200,
      shows: found({ active: false }),
    },
    'Enable User': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'Replace', path: 'active', value: 'True' }),
      status: 200,
      shows: { active: true },
    },
    'Patch User - Add Manager': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'add', path: `${ENTERPRISE}:manager`, value: { value: '{user}' } }),
      status: 200,
      lacks: 'manager',
    },
    'Filter for the manager of a user': {
      method: 'GET',
      path: '/Users?filter=id+eq+"{user}"+and+manager+eq+"{user}"&attributes=id',
      status: 200,
      shows: found(),
    },
    'Filter for the manager of a user, with its schema': {
      method: 'GET',
      path: `/Users?filter=id eq "{user}" and ${ENTERPRISE}:manager eq "{user}"&attributes=id`,
      status: 200,
      shows: found(),
    },
    'Patch User - Remove Manager': {
      method: 'PATCH',
      path: '/Users/{user}',
      body: patch({ op: 'remove', path: `${ENTERPRISE}:manager` }),
      status: 200,
    },
    'Create a new Group': {
      method: 'POST',
      path: '/Groups',
      body: GROUP_OF_ENTRA,
      status: 201,
      shows: { displayName: 'UHYYWKURUTZS', externalId: GROUP_OF_ENTRA.externalId },
      keep: 'group',
    },
    'Create a duplicate Group': {
      method: 'POST',
      path: '/Groups',
      body: GROUP_OF_ENTRA,
      status: 409,
      shows: { ...failure(409), scimType: 'uniqueness' },
    },
    'Get group by id excluding members': {
      method: 'GET',
      path: '/Groups/{group}?excludedAttributes=members',
      status: 200,
      shows: { id: '{group}', displayName: 'UHYYWKURUTZS' },
      lacks: 'members',
    },
    'Filter for existing group excluding members, with a different case': {
      method: 'GET',
      path: '/Groups?excludedAttributes=members&filter=displayName+eq+"uhyywkurutzs"',
      status: 200,
      shows: found({ id: '{group}' }),
      lacks: 'members',
    },
    'Filter for a non-existing group': {
      method: 'GET',
      path: '/Groups?excludedAttributes=members&filter=displayName+eq+"WKTBJWNSFTIX"',
      status: 200,
      shows: found(),
    },
    'Patch Group - Add Members': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] }),
      status: 204,
    },
    'Filter for a group by a member': {
      method: 'GET',
      path: '/Groups?filter=id eq "{group}" and members eq "{user}"&attributes=id',
      status: 200,
      shows: found({ id: '{group}' }),
      lacks: 'displayName',
    },
    'Get group with its member': {
      method: 'GET',
      path: '/Groups/{group}',
      status: 200,
      shows: { members: [{ value: '{user}' }] },
    },
    'Patch Group - Multiple Ops on same attribute': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch(
        { op: 'remove', path: 'members[value eq "{user}"]' },
        { op: 'add', path: 'members', value: [{ value: '{user}' }] },
        { op: 'remove', path: 'members', value: [{ value: '{user}' }] },
      ),
      status: 204,
    },
    'Get group without members': { method: 'GET', path: '/Groups/{group}', status: 200, shows: { members: [] } },
    'Patch Group - Replace Attributes': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({ op: 'replace', value: { externalId: 'c3b97a69-ee33-427b-8bc1-d661b7769314' } }),
      status: 204,
    },
    'Patch Group - without operations': { method: 'PATCH', path: '/Groups/{group}', body: patch(), status: 204 },
    'Update Group displayName': {
      method: 'PATCH',
      path: '/Groups/{group}',
      body: patch({ op: 'replace', value: { displayName: 'MSADPJJZWBUS' } }),
      status: 204,
    },
    'Get group by id': {
      method: 'GET',
      path: '/Groups/{group}',
      status: 200,
      shows: { displayName: 'MSADPJJZWBUS', externalId: 'c3b97a69-ee33-427b-8bc1-d661b7769314' },
    },
    'Delete a Group': { method: 'DELETE', path: '/Groups/{group}', status: 204 },
    'Delete the same Group twice': { method: 'DELETE', path: '/Groups/{group}', status: 404, shows: failure(404) },
    'Delete a non-existent Group': { method: 'DELETE', path: `/Groups/${NO_ID}`, status: 404 },
    'Delete a User': { method: 'DELETE', path: '/Users/{user}', status: 204 },
    'Delete the same User twice': { method: 'DELETE', path: '/Users/{user}', status: 404, shows: failure(404) },
    'Delete a non-existent User': { method: 'DELETE', path: `/Users/${NO_ID}`, status: 404 },
  },
};
