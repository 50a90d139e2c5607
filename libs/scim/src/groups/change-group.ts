import type { Transaction } from '@lintel/persistence';
import type { ScimDeps } from '../scim-deps.ts';
import type { StoredGroup } from './group-store.ts';
import type { GivenMember, GroupChange } from './read-group.ts';

type Stores = Pick<ScimDeps, 'groups' | 'roles'>;

/**
 * Applies changes to a group, in their order; the roles of its members follow. Returns the names of the users whose
 * roles changed.
 */
export async function changeGroup(
  { groups, roles }: Stores,
  transaction: Transaction,
  before: StoredGroup,
  changes: readonly GroupChange[],
): Promise<readonly string[]> {
  const { id } = before;
  let { displayName, externalId } = before;
  const touched = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'name') displayName = change.displayName;
    else if (change.kind === 'external-id') externalId = change.externalId;
    else for (const userId of await changeMembers(groups, transaction, id, change)) touched.add(userId);
  }
  const isRenamed = displayName !== before.displayName;
  if (isRenamed || externalId !== before.externalId || touched.size > 0)
    await groups.change(transaction, id, { displayName, externalId });
  const hasRoles = roles.hasRoles(before.displayName) || roles.hasRoles(displayName);
  const renamed = isRenamed ? await groups.memberIds(transaction, id) : [];
  await groups.revise(transaction, [...new Set([...touched, ...renamed])]);
  // A user whom only a membership connects with SCIM has the roles of all users from now on.
  return roles.follow(transaction, [...new Set([...touched, ...(hasRoles ? renamed : [])])]);
}

/** Applies one change of members; returns the users whose membership changed. */
async function changeMembers(
  groups: Stores['groups'],
  transaction: Transaction,
  id: string,
  { kind, members }: Extract<GroupChange, { readonly members: readonly GivenMember[] }>,
): Promise<readonly string[]> {
  if (kind === 'add') return groups.add(transaction, id, members);
  const ids = members.map((member) => member.id);
  if (kind === 'remove') return groups.remove(transaction, id, ids);
  const removed = await groups.removeOthers(transaction, id, ids);
  return [...removed, ...(await groups.add(transaction, id, members))];
}
