import { type RoleRegistry, surprisingRights, unprotectedChildren } from '@lintel/security';
import type { Application } from '../application.ts';
import type { ServiceMethod } from '../services/service.ts';
import type { ValueForm } from '../services/value-type.ts';

/** Parts of an application that are valid and may do less than they seem to, one sentence each with a proposal. */
export function applicationWarnings(
  { model, restServices }: Pick<Application, 'model' | 'restServices'>,
  { resourceRoles, rowRoles }: Pick<RoleRegistry, 'resourceRoles' | 'rowRoles'>,
): readonly string[] {
  const granted = new Set(
    [...resourceRoles.values()].flatMap(({ policies }) =>
      policies.flatMap((policy) => (policy.kind === 'attribute' ? [policy.entity] : [])),
    ),
  );
  const methods = [...restServices.values()].flatMap((service) =>
    service.methods.map((method) => ({ where: `${service.name}.${method.name}`, method })),
  );
  return [
    ...surprisingRights(model, resourceRoles),
    ...unprotectedChildren(model, rowRoles.values()),
    ...methods.flatMap(({ where, method }) =>
      entitiesIn(method)
        .filter((name) => model.entities.get(name)?.kind === 'dto' && !granted.has(name))
        .map(
          (name) =>
            `Service method ${where} returns ${name}, and no role grants an attribute of it: users without all rights get empty objects; add viewAttributes('${name}', '*') to their roles`,
        ),
    ),
  ];
}

const entitiesIn = ({ returns }: ServiceMethod): readonly string[] => [...new Set(entitiesOf(returns.form))];

function entitiesOf(form: ValueForm): readonly string[] {
  switch (form.kind) {
    case 'entity':
      return [form.entity];
    case 'list':
      return entitiesOf(form.item);
    case 'record':
      return Object.values(form.members).flatMap((member) => entitiesOf(member.form));
    default:
      return [];
  }
}
