import { isApplicationError, type JobAuthor } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { principalOfUser, type UserReading } from './principal-of-user.ts';

/** Work without a request that cannot begin, in a sentence without values of instances. */
export class WorkRefusal extends Error {}

/**
 * The rights of work without a request, such as a run of a job.
 *
 * @param work written to the audit attributes where it has roles: `job <name>`, which no user can be called
 * @throws WorkRefusal if there is no such active user
 */
export async function principalOfAuthor(as: JobAuthor, work: string, deps: UserReading): Promise<Principal> {
  if (typeof as !== 'string') return principalOfRoles(as, work);
  const user = await principalOfUser(as, work, deps);
  if (user?.account.isActive !== true) throw new WorkRefusal(`There is no active user ${as} for the ${work}`);
  return user.principal;
}

const principalOfRoles = (as: Exclude<JobAuthor, string>, work: string): Principal => ({
  username: work,
  kind: 'client',
  userId: null,
  clientId: 'lintel',
  sessionId: work,
  resourceRoles: as.resourceRoles,
  rowLevelRoles: as.rowLevelRoles ?? [],
  locale: null,
  attributes: {},
  actingService: undefined,
});

/** The kind of an error, for operators: its text may have values that they may not see. */
export function kindOfError(error: unknown, id: string): string {
  if (error instanceof WorkRefusal) return error.message;
  const kind = isPlatformError(error)
    ? error.code
    : isApplicationError(error)
      ? error.name
      : 'An error of the application';
  return `${kind}: the log has it, with the id of the ${id}`;
}
