import type { Access } from '@lintel/security';
import type { WriteModel } from '../model/write-model.ts';
import type { InstanceInput, SentChildren, SentValue } from '../parse/instance-input.ts';

/** The part of the caller's access that decides which attributes are written. */
export type ModifyAccess = Pick<Access, 'mayModify'>;

/**
 * Leaves out the attributes that the caller may not modify, without an error, at every level
 * (contract/roles.md#attributes-write): an embedded attribute needs the right on itself and on the inner one,
 * children need the right on the composition and their own rights.
 */
export function dropDenied(writeModel: WriteModel, input: InstanceInput, access: ModifyAccess): InstanceInput {
  const layout = writeModel.of(input.entity);
  const values = new Map<string, SentValue>();
  for (const [path, value] of input.values) {
    const rights = layout.slots.get(path)?.rights ?? [[input.entity.name, path] as const];
    if (rights.every(([entity, attribute]) => access.mayModify(entity, attribute))) values.set(path, value);
  }
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
