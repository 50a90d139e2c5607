import { type CurrentRoles, readCurrentRoles } from '../administration/current-roles.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { type ApplicationOptions, openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { describePolicy, describeRowPolicy } from './describe-policy.ts';
import { originOf } from './origin-of.ts';

interface ShownRole {
  readonly code: string;
  readonly type: 'resource' | 'row-level';
  readonly name: string;
  readonly origin: string;
  readonly scopes: readonly string[];
  readonly childRoles: readonly string[];
  /** In words. */
  readonly policies: readonly string[];
}

/**
 * Prints the policies of a role in words. A resource role and a row-level role may have the same code: then both.
 *
 * @throws CommandError where there is no such role
 */
export async function showRole(code: string, options: ApplicationOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const registry = await withAdministration(context, terminal, readCurrentRoles);
  const origin = originOf(code, context.application);
  const roles = rolesNamed(code, registry).map((role) => ({ ...role, origin }));
  if (roles.length === 0) {
    const codes = [...registry.resourceRoles.keys(), ...registry.rowRoles.keys()].sort();
    throw new CommandError(`There is no role ${code}`, `There are ${codes.join(', ')}`);
  }
  if (options.json === true) terminal.print(JSON.stringify(roles, null, 2));
  else terminal.print(roles.map(textOf).join('\n\n'));
}

function rolesNamed(code: string, registry: CurrentRoles): readonly Omit<ShownRole, 'origin'>[] {
  const resource = registry.resourceRoles.get(code);
  const rows = registry.rowRoles.get(code);
  return [
    ...(resource === undefined
      ? []
      : [
          {
            code,
            type: 'resource' as const,
            name: resource.name,
            scopes: resource.scopes,
            childRoles: resource.childRoles,
            policies: resource.policies.map(describePolicy),
          },
        ]),
    ...(rows === undefined
      ? []
      : [
          {
            code,
            type: 'row-level' as const,
            name: rows.name,
            scopes: [],
            childRoles: [],
            policies: rows.policies.map(describeRowPolicy),
          },
        ]),
  ];
}

function textOf({ code, type, name, origin, scopes, childRoles, policies }: ShownRole): string {
  const isForApi = type === 'row-level' || scopes.includes('API');
  return [
    `${code} (${name}), a ${type} role of the ${origin}`,
    ...(isForApi ? [] : ['  does not count for the API: it has no scope API']),
    ...childRoles.map((child) => `  includes ${child}`),
    ...policies.map((policy) => `  ${policy}`),
    ...(policies.length === 0 ? ['  no policies of its own'] : []),
  ].join('\n');
}
