import type { SlapdOptions } from '@lintel/testkit/backends';
import { Client } from 'ldapts';

const SUFFIX = 'dc=acme,dc=example';

/** How the directory is started. */
export const DIRECTORY: SlapdOptions = {
  suffix: SUFFIX,
  rootDn: `cn=admin,${SUFFIX}`,
  rootPassword: 'password of the administrator',
};

/** The properties of Lintel for the directory at an address. */
export const propertiesOfDirectory = (url: string): Readonly<Record<string, string>> => ({
  urls: url,
  'bind-dn': DIRECTORY.rootDn,
  'bind-password': DIRECTORY.rootPassword,
  'base-dn': `ou=people,${SUFFIX}`,
  'group-base-dn': `ou=groups,${SUFFIX}`,
});

/** Fills an empty directory with one user, who is in the group `sales`. */
export async function fillDirectory(url: string, username: string, password: string): Promise<void> {
  const admin = new Client({ url });
  await admin.bind(DIRECTORY.rootDn, DIRECTORY.rootPassword);
  await admin.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'acme', o: 'Acme' });
  for (const unit of ['people', 'groups'])
    await admin.add(`ou=${unit},${SUFFIX}`, { objectClass: 'organizationalUnit', ou: unit });
  const user = `uid=${username},ou=people,${SUFFIX}`;
  const names = { cn: username, sn: 'Example', givenName: username };
  await admin.add(user, { objectClass: 'inetOrgPerson', ...names, userPassword: password });
  await admin.add(`cn=sales,ou=groups,${SUFFIX}`, { objectClass: 'groupOfNames', cn: 'sales', member: user });
  await admin.unbind();
}
