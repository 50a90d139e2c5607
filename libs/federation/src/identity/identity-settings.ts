import { choiceListValue, listValue, roleTableValue, textValue } from '@lintel/config';
import { z } from 'zod';

const FIRST_LOGINS = ['link', 'create'] as const;

const hasEqualSign = (items: readonly string[]): boolean => items.every((item) => /^.+=[^=]+$/.test(item));

/** How the claims (or attributes) of a subject become a user and roles. Each provider and the resource server has them. */
export const IDENTITY_MEMBERS = {
  'user-claim': textValue().default('preferred_username'),
  'first-login': choiceListValue(FIRST_LOGINS).default(['create']),
  domains: listValue().default([]),
  'required-claims': listValue().refine(hasEqualSign, 'expected items such as claim=value').default([]),
  'groups-claim': textValue().default('groups'),
  'resource-roles': roleTableValue(),
  'row-level-roles': roleTableValue(),
};

const identitySchema = z.object(IDENTITY_MEMBERS);

/** The rules of a provider for identities. */
export type IdentityRules = Readonly<z.infer<typeof identitySchema>>;

/** Descriptions of the members for the reference of the properties. */
export const IDENTITY_DESCRIPTIONS: Readonly<Record<keyof IdentityRules, string>> = {
  'user-claim': 'Claim with the user name at the first login; later logins are recognized by issuer and subject',
  'first-login':
    'At the first login: `link` accepts an existing user with the name, `create` creates one; others are refused',
  domains: 'Domains of the verified e-mail address; without it any address, or none',
  'required-claims': 'List of `claim=value` that must all hold',
  'groups-claim': 'Claim with the names of the groups; a path such as `realm_access.roles` leads into objects',
  'resource-roles': 'Resource roles of groups: a list of `group=role`, where `*` stands for everybody',
  'row-level-roles': 'Row-level roles of groups, as above; a login without the claim of the groups is refused',
};
