import { ANONYMOUS } from '@lintel/contracts';
import { decidingEntities, entityOf } from '@lintel/metadata';
import { readCurrentRoles } from '../administration/current-roles.ts';
import { type Administration, withAdministration } from '../administration/with-administration.ts';
import { type ApplicationOptions, openApplication } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { findUser, loadAssignments, requireHolder } from '../user/find-user.ts';
import { type DecidingEntities, type ExplainedAccess, type ExplainedRight, explainAccess } from './explain-access.ts';
import { parseRights } from './parse-rights.ts';
import type { Right } from './rights.ts';

interface Question {
  readonly user: string;
  readonly subject: string;
  readonly action: string | undefined;
}

/**
 * Prints which roles give a user the rights, and the rules that limit the rows. Returns 1 where a right is missing.
 *
 * @throws CommandError where the user, the entity, the attribute or the action does not exist
 */
export async function explainRights(
  { user, subject, action }: Question,
  options: ApplicationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const context = await openApplication(options);
  const { model } = context.application;
  const rights = withReading(parseRights(model, subject, action));
  const explained = await withAdministration(context, terminal, (administration) =>
    explain(user, rights, administration, (name) => decidingEntities(model, entityOf(model, name))),
  );
  if (options.json === true) terminal.print(JSON.stringify(explained, null, 2));
  else terminal.print(textOf(explained));
  return explained.rights.every(({ granted }) => granted) ? 0 : 1;
}

/** An attribute can be read only where its entity can. */
function withReading(rights: readonly Right[]): readonly Right[] {
  const [first] = rights;
  return first?.kind === 'attribute' ? [{ kind: 'entity', entity: first.entity, action: 'read' }, ...rights] : rights;
}

interface Explained extends ExplainedAccess {
  readonly user: string;
  /** False: the user cannot log in, with any roles. */
  readonly active: boolean;
  readonly roles: readonly string[];
}

async function explain(
  user: string,
  rights: readonly Right[],
  administration: Administration,
  deciding: DecidingEntities,
): Promise<Explained> {
  const { data } = administration;
  await requireHolder(data, user);
  const found = await findUser(data, user);
  const roles = await loadAssignments(data, user);
  const isAnonymous = user === ANONYMOUS;
  return {
    user,
    active: isAnonymous || found?.['active'] === true,
    roles: roles.map(({ roleCode }) => roleCode),
    ...explainAccess({ isAnonymous, roles }, rights, await readCurrentRoles(administration), deciding),
  };
}

function textOf({ user, active, roles, ineffective, rights, rows }: Explained): string {
  return [
    `${user} has ${roles.length === 0 ? 'no roles' : `the roles ${roles.join(', ')}`}.`,
    ...(active ? [] : [`${user} is not active and cannot log in.`]),
    ...ineffective.map(({ role, reason }) => `${role}: ${reason}.`),
    ...rights.flatMap((right) => linesOf(user, right)),
    ...(rows.length === 0 ? [] : ['Row-level roles limit this:']),
    ...rows.map(({ role, rule }) => `  ${role}: ${rule}`),
  ].join('\n');
}

function linesOf(user: string, { right, granted, by, roles }: ExplainedRight): readonly string[] {
  if (granted)
    return [`✓ ${user} may ${right}`, ...by.map(({ path, policy }) => `    ${grantorOf(path)} grants ${policy}`)];
  return [
    `✗ ${user} may not ${right}`,
    roles.length === 0 ? '    no role grants it' : `    roles that grant it: ${roles.join(', ')}`,
  ];
}

/** `reader`, or `reader, a child role of clerk,`. */
function grantorOf(path: readonly string[]): string {
  const [role = '', ...parents] = [...path].reverse();
  return parents.length === 0 ? role : `${role}, a child role of ${parents.join(' of ')},`;
}
