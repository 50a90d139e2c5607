import { RestError, restMethod, service, t } from '@lintel/application';

/** For users who work at several branches. */
export const branchService = service('garage_Branches', {
  /**
   * `POST /rest/services/garage_Branches/choose`: from now on, the session sees the jobs of this branch; without a branch,
   * it sees none. Returns the name of the branch.
   */
  choose: restMethod(
    { methods: ['POST'], params: { branch: t.uuid.optional() }, returns: t.string },
    async ({ branch }, { data, session }) => {
      const chosen = branch === undefined ? undefined : await data.load('garage_Branch', branch);
      if (branch !== undefined && chosen === undefined)
        throw new RestError(404, 'Branch not found', `There is no branch ${branch}`);
      await session.set('branch', branch ?? null);
      return chosen === undefined ? 'none' : String(chosen['name']);
    },
  ),
});
