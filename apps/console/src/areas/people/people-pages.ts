import type { Rights } from '@lintel/react';

/** A page of the area that has an entry in the navigation. */
export type PeoplePageName = 'users' | 'roles' | 'explain' | 'clients' | 'logins' | 'providers';

/** The pages that the user may use. */
export const peoplePages = ({ rights }: { readonly rights: Rights }): readonly PeoplePageName[] => [
  ...(rights.may('sec_User', 'read') ? (['users'] as const) : []),
  ...(rights.has('rights.view') ? (['roles'] as const) : []),
  ...(rights.has('rights.preview') ? (['explain'] as const) : []),
  ...(rights.has('clients.manage') ? (['clients'] as const) : []),
  ...(rights.has('security-events.view') ? (['logins'] as const) : []),
  ...(rights.has('identity-providers.view') ? (['providers'] as const) : []),
];
