import { type RoleRegistry, roleReader } from '@lintel/security';
import { CommandError } from '../command-error.ts';
import type { Administration } from './with-administration.ts';

/** A role by its type and code, as an assignment names it. */
export interface AssignedRole {
  readonly roleType: 'resource' | 'row-level';
  readonly roleCode: string;
}

/** The roles of the application and of the database, as the services have them. */
export interface CurrentRoles extends RoleRegistry {
  /** What is wrong with stored roles. */
  readonly problems: readonly string[];
}

/** Reads the roles of the database and joins them with those of the application. */
export async function readCurrentRoles({
  application,
  database,
}: Pick<Administration, 'application' | 'database'>): Promise<CurrentRoles> {
  const text = 'SELECT version, body::text AS body FROM sec.role_snapshot';
  const [row] = await database.query<{ version: string; body: string }>({ text, values: [] });
  if (row === undefined) throw new Error('The view sec.role_snapshot has no row');
  const problems: string[] = [];
  const registry = roleReader(application)({ version: row.version, body: JSON.parse(row.body) }, (problem) =>
    problems.push(problem),
  );
  return { ...registry, problems };
}

/** @throws CommandError with the roles that exist, where one is unknown */
export function assertRoles({ resourceRoles, rowRoles }: RoleRegistry, roles: readonly AssignedRole[]): void {
  const known = { resource: resourceRoles, 'row-level': rowRoles };
  const unknown = roles.filter(({ roleType, roleCode }) => !known[roleType].has(roleCode));
  if (unknown.length === 0) return;
  const wanted = unknown.map(({ roleType, roleCode }) => `no ${roleType} role ${roleCode}`).join(' and ');
  const types = [...new Set(unknown.map(({ roleType }) => roleType))];
  const existing = types.flatMap((type) => [...known[type].keys()]).sort();
  throw new CommandError(
    `There is ${wanted}`,
    existing.length === 0 ? 'The application has none of that kind' : `There are ${existing.join(', ')}`,
  );
}
