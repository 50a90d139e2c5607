import type { Model } from '@lintel/metadata';
import type { EntityAction } from '@lintel/security';
import { CommandError } from '../command-error.ts';
import type { Right } from './rights.ts';

const ENTITY_ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];
const ATTRIBUTE_ACTIONS = ['view', 'modify'] as const;

/**
 * The rights that a command line names: an entity, an attribute of one, or else a specific permission.
 *
 * @param action all actions of the subject without it
 * @throws CommandError where there is no such entity or attribute, or the action does not belong to it
 */
export function parseRights(model: Model, subject: string, action: string | undefined): readonly Right[] {
  const [name = '', attribute, ...more] = subject.split('.');
  const entity = model.entities.get(name);
  if (entity === undefined) {
    // Names of entities have a prefix with "_"; those of specific permissions have dots.
    if (attribute === undefined || name.includes('_'))
      throw new CommandError(`There is no entity ${name}`, 'Check its name; it has the form sales_Order');
    if (action !== undefined) throw unknownAction(subject, action, []);
    return [{ kind: 'specific', name: subject }];
  }
  if (attribute === undefined)
    return select(subject, ENTITY_ACTIONS, action).map((each) => ({ kind: 'entity', entity: name, action: each }));
  if (more.length > 0)
    throw new CommandError(
      `${subject} is a path over several entities`,
      `Ask for each attribute by its own entity, such as ${name}.${attribute}`,
    );
  if (!entity.attributes.has(attribute))
    throw new CommandError(
      `${name} has no attribute ${attribute}`,
      `It has ${[...entity.attributes.keys()].join(', ')}`,
    );
  return select(subject, ATTRIBUTE_ACTIONS, action).map((each) => ({
    kind: 'attribute',
    entity: name,
    attribute,
    action: each,
  }));
}

function select<A extends string>(subject: string, actions: readonly A[], action: string | undefined): readonly A[] {
  const selected = actions.filter((each) => action === undefined || each === action);
  if (selected.length === 0) throw unknownAction(subject, String(action), actions);
  return selected;
}

const unknownAction = (subject: string, action: string, actions: readonly string[]): CommandError =>
  new CommandError(
    `There is no action ${action} on ${subject}`,
    actions.length === 0 ? 'A specific permission has no actions' : `There are ${actions.join(', ')}`,
  );
