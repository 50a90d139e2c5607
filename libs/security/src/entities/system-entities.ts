import { boolean, standardEntity, string } from '@lintel/metadata';
import { ROLE_ENTITIES } from './role-entities.ts';

/** The user of the application. The password is write-only and kept as an argon2id hash. */
export const User = standardEntity('sec_User', {
  attributes: {
    username: string(255).mandatory().unique(),
    password: string(255).secret(),
    firstName: string(255),
    lastName: string(255),
    email: string(255).email(),
    active: boolean().default(true),
    locale: string(20),
    timeZoneId: string(50),
    country: string(2),
  },
  instanceName: ['username'],
});

/** Assigns a role to a user. `roleType` is `resource` or `row-level`. */
export const RoleAssignment = standardEntity('sec_RoleAssignment', {
  attributes: {
    username: string(255).mandatory(),
    roleCode: string(255).mandatory(),
    roleType: string(20)
      .mandatory()
      .pattern(/resource|row-level/),
  },
  instanceName: ['{username}', ' – ', '{roleCode}'],
  indexes: [{ attributes: ['username', 'roleCode', 'roleType'], unique: true }],
});

/** The entities that every application has. */
export const SYSTEM_ENTITIES = [User, RoleAssignment, ...ROLE_ENTITIES] as const;
