import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useModel } from '../../../context.ts';
import { useRoles } from '../api/roles.ts';

const LIMIT = 1_000;

/** The names of the roles of each of these users; undefined for callers who may not read them. */
export function useRolesOf(usernames: readonly string[]): ((username: string) => string) | undefined {
  const { client, rights } = useModel();
  const mayRead = rights.may('sec_RoleAssignment', 'read') && rights.has('rights.view');
  const roles = useRoles(mayRead);
  const { data } = useQuery({
    queryKey: ['people', 'assignments-of', usernames],
    enabled: mayRead && usernames.length > 0,
    queryFn: ({ signal }) => {
      const conditions = [{ property: 'username', operator: 'in' as const, value: usernames }];
      const options = { filter: { conditions }, fetchPlan: '_local', sort: 'roleType,roleCode', limit: LIMIT, signal };
      return client.list('sec_RoleAssignment', options) as unknown as Promise<
        readonly { readonly username: string; readonly roleCode: string; readonly roleType: string }[]
      >;
    },
    placeholderData: keepPreviousData,
  });
  if (!mayRead) return undefined;
  const { resourceRoles = [], rowLevelRoles = [] } = roles.data ?? {};
  const nameOf = (type: string, code: string): string =>
    (type === 'resource' ? resourceRoles : rowLevelRoles).find((role) => role.code === code)?.name ?? code;
  return (username) =>
    (data ?? [])
      .filter((each) => each.username === username)
      .map(({ roleType, roleCode }) => nameOf(roleType, roleCode))
      .join(', ');
}
