import type { Access } from '@lintel/security';
import type { WriteModel } from '../model/write-model.ts';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';

/** The part of the caller's access that decides which attributes are written. */
export type ModifyAccess = Pick<Access, 'mayModify'>;

/**
 * Leaves out the attributes that the caller may not modify, without an error, at every level
 * (contract/roles.md#attributes-write): an embedded attribute needs the right on itself and on the inner one,
 * children need the right on the composition and their own rights.
 */
export function dropDenied(writeModel: WriteModel, input: InstanceInput, access: ModifyAccess): InstanceInput {
  const values = modifiableValues(writeModel, input, access);
  if (input.children.size + input.unstored.size === 0) return values === input.values ? input : { ...input, values };
  const children = new Map<string, SentChildren>();
  for (const [attribute, sent] of input.children) {
    if (!access.mayModify(input.entity.name, attribute)) continue;
    children.set(
      attribute,
      sent.kind === 'one'
        ? { kind: 'one', child: sent.child === null ? null : dropDenied(writeModel, sent.child, access) }
        : { ...sent, children: sent.children.map((child) => dropDenied(writeModel, child, access)) },
    );
  }
  const unstored = new Map(
    [...input.unstored].filter(([path]) => access.mayModify(input.entity.name, path.split('.', 1)[0] ?? path)),
  );
  return { ...input, values, children, unstored };
}

/** The values that the caller may modify: mostly all of them. */
function modifiableValues(
  writeModel: WriteModel,
  { entity, values }: InstanceInput,
  access: ModifyAccess,
): InstanceInput['values'] {
  const layout = writeModel.of(entity);
  const denied = new Set<string>();
  for (const path of values.keys()) {
    const rights = layout.slots.get(path)?.rights ?? [[entity.name, path] as const];
    if (!rights.every(([owner, attribute]) => access.mayModify(owner, attribute))) denied.add(path);
  }
  return denied.size === 0 ? values : new Map([...values].filter(([path]) => !denied.has(path)));
}
