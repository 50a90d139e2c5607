import { isIntegrityViolation, type Transaction } from '@lintel/persistence';
import { assertMatch } from '../assert-match.ts';
import { changeResource } from '../change-resource.ts';
import { isUuid } from '../filters/compile-filter.ts';
import { notFound, taken } from '../protocol/scim-failure.ts';
import { includes, type Projection, type ScimResources } from '../requests/list-request.ts';
import { readPatch } from '../requests/patch-request.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { changeGroup } from './change-group.ts';
import type { StoredGroup } from './group-store.ts';
import { type GroupChange, readGroup, readGroupChanges } from './read-group.ts';

/** What a change did. */
interface Outcome {
  readonly group: StoredGroup;
  /** Users whose roles changed. */
  readonly usernames: readonly string[];
}

const hasMembers = (projection: Projection): boolean => includes(projection, 'members');

/** Operations on groups; the roles of their members follow at once. */
export function createScimGroups(deps: ScimDeps): ScimResources<StoredGroup> {
  const { database, groups, roles, ids, security } = deps;

  async function inTransaction(key: string, work: (transaction: Transaction) => Promise<Outcome>) {
    try {
      return await changeResource(deps, key, work);
    } catch (error) {
      if (isIntegrityViolation(error)) throw taken('displayName: another group has this name');
      throw error;
    }
  }

  async function existing(transaction: Transaction, id: string, ifMatch: string | undefined): Promise<StoredGroup> {
    const group = isUuid(id) ? await groups.find(transaction, id, false) : undefined;
    if (group === undefined) throw notFound();
    assertMatch(ifMatch, group.version);
    return group;
  }

  async function change(
    transaction: Transaction,
    before: StoredGroup,
    changes: readonly GroupChange[],
  ): Promise<Outcome> {
    const usernames = await changeGroup(deps, transaction, before, changes);
    return { group: await existing(transaction, before.id, undefined), usernames };
  }

  async function finish({ group, usernames }: Outcome): Promise<StoredGroup> {
    security.record('provisioning.group-changed', { amount: usernames.length });
    await deps.followSessions(usernames);
    return group;
  }

  return {
    list: (request) => groups.list(database, request, hasMembers(request.projection)),
    async find(id, projection) {
      const group = isUuid(id) ? await groups.find(database, id, hasMembers(projection)) : undefined;
      if (group === undefined) throw notFound();
      return group;
    },
    async create(body) {
      const { displayName, externalId, members } = readGroup(body);
      const id = ids.next();
      const outcome = await inTransaction(id, async (transaction) => {
        await groups.create(transaction, id, displayName, externalId);
        const added = await groups.add(transaction, id, members);
        await groups.revise(transaction, added);
        const usernames = await roles.follow(transaction, added);
        const group = await groups.find(transaction, id, true);
        if (group === undefined) throw notFound();
        return { group, usernames };
      });
      return finish(outcome);
    },
    async replace(id, body, ifMatch) {
      const { displayName, externalId, members } = readGroup(body);
      const outcome = await inTransaction(id.toLowerCase(), async (transaction) =>
        change(transaction, await existing(transaction, id, ifMatch), [
          { kind: 'name', displayName },
          { kind: 'external-id', externalId },
          { kind: 'replace', members },
        ]),
      );
      return finish(outcome);
    },
    async patch(id, body, ifMatch) {
      const changes = readGroupChanges(readPatch(body));
      const outcome = await inTransaction(id.toLowerCase(), async (transaction) =>
        change(transaction, await existing(transaction, id, ifMatch), changes),
      );
      return finish(outcome);
    },
    async remove(id, ifMatch) {
      const outcome = await inTransaction(id.toLowerCase(), async (transaction) => {
        const group = await existing(transaction, id, ifMatch);
        const members = await groups.memberIds(transaction, group.id);
        await groups.delete(transaction, group.id);
        await groups.revise(transaction, members);
        const usernames = roles.hasRoles(group.displayName) ? await roles.follow(transaction, members) : [];
        return { group, usernames };
      });
      await finish(outcome);
    },
  };
}
