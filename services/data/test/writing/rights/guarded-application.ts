import { defineApplication, entityListener, restMethod, service, t } from '@lintel/application';
import {
  compositionOfMany,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  softDeletedEntity,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { predicatePolicy, queryPolicy, rowLevelRole } from '@lintel/security';

const OWN = '{E}.country = :current_user_country';

/** An application with row-level policies on writing, each in a separate role. */
export const guarded = defineApplication({
  id: 'g',
  name: 'Guarded accounts',
  entities: [
    softDeletedEntity('g_Account', {
      attributes: {
        name: string(50),
        country: string(2),
        entries: compositionOfMany('g_Entry', 'account'),
        notes: compositionOfMany('g_Note', 'account'),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('g_Savings', { extends: 'g_Account', attributes: { term: integer() } }),
    standardEntity('g_Entry', {
      attributes: { account: toOne('g_Account').mandatory(), amount: integer().mandatory(), text: string(20) },
    }),
    softDeletedEntity('g_Note', { attributes: { account: toOne('g_Account').mandatory(), text: string(20) } }),
    embeddable('g_RateKey', { attributes: { currency: string(3).mandatory(), day: localDate().mandatory() } }),
    keyedEntity('g_Rate', { key: 'id', attributes: { id: embedded('g_RateKey'), rate: integer().mandatory() } }),
  ],
  rowLevelRoles: [
    rowLevelRole('sees-own', { name: 'Sees own', policies: [queryPolicy('g_Account', OWN)] }),
    rowLevelRole('writes-own', {
      name: 'Writes own',
      policies: [queryPolicy('g_Account', OWN, { actions: ['create', 'update', 'delete'] })],
    }),
    rowLevelRole('creates-own', {
      name: 'Creates own',
      policies: [queryPolicy('g_Account', OWN, { actions: ['create'] })],
    }),
    rowLevelRole('keeps-foreign', {
      name: 'Deletes own',
      policies: [queryPolicy('g_Account', OWN, { actions: ['delete'] })],
    }),
    rowLevelRole('small-entries', {
      name: 'Small entries',
      policies: [
        queryPolicy('g_Entry', '{E}.amount <= 100', { actions: ['create', 'update', 'delete'] }),
        queryPolicy('g_Rate', "{E}.id.currency = 'EUR'", { actions: ['create', 'update', 'delete'] }),
      ],
    }),
    rowLevelRole('small-by-code', {
      name: 'Small entries, by code',
      policies: [
        predicatePolicy('g_Entry', {
          actions: ['create', 'update'],
          dependsOn: ['amount'],
          test: ({ amount }) => Number(amount) <= 100,
        }),
      ],
    }),
    rowLevelRole('with-entry', {
      name: 'Accounts need a positive entry',
      policies: [
        queryPolicy('g_Account', 'e.amount > 0', { join: 'join {E}.entries e', actions: ['create', 'update'] }),
      ],
    }),
    rowLevelRole('live-notes', {
      name: 'Changes notes',
      policies: [queryPolicy('g_Note', '{E}.text is not null', { actions: ['update'] })],
    }),
    rowLevelRole('sees-small', {
      name: 'Sees small entries, by code',
      policies: [
        predicatePolicy('g_Entry', {
          actions: ['read'],
          dependsOn: ['amount'],
          test: ({ amount }) => Number(amount) <= 100,
        }),
      ],
    }),
  ],
  listeners: [
    entityListener({
      entity: 'g_Account',
      // Values set before the save, which policies check, and a change after it, which they do not check.
      beforeSave: async ({ after }) => (after?.['name'] === 'emigrant' ? { country: 'FR' } : undefined),
      afterSave: async ({ id, after }, { data }) => {
        if (after?.['name'] === 'later') await data.update('g_Account', id, { country: 'FR', name: 'moved' });
      },
    }),
  ],
  services: [
    service('g_Bank', {
      create: restMethod({ params: { country: t.string }, returns: t.string }, async ({ country }, { data }) =>
        String(await data.create('g_Account', { country })),
      ),
      createAsSystem: restMethod({ params: { country: t.string }, returns: t.string }, async ({ country }, { data }) =>
        String(await data.unconstrained().create('g_Account', { country })),
      ),
      move: restMethod({ params: { id: t.uuid, country: t.string } }, async ({ id, country }, { data }) => {
        await data.update('g_Account', id, { country });
      }),
      remove: restMethod({ params: { id: t.uuid } }, ({ id }, { data }) => data.remove('g_Account', id)),
      /** Makes two changes in one transaction; the second is refused. */
      both: restMethod({ params: { country: t.string } }, ({ country }, { data }) =>
        data.inTransaction(async (within) => {
          await within.create('g_Account', { name: 'first of both', country: 'DE' });
          await within.create('g_Account', { name: 'second of both', country });
        }),
      ),
    }),
  ],
});
