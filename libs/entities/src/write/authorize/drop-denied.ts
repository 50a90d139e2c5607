import type { Access } from '@lintel/security';
import type { WriteModel } from '../model/write-model.ts';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';
import type { UnknownNames } from '../parse/unknown-names.ts';

/** The part of the caller's access that decides which attributes are written. */
export type ModifyAccess = Pick<Access, 'mayModify'>;

/**
 * Leaves out the attributes that the caller may view and not modify, at every level
 * (contract/roles.md#attributes-write): an embedded attribute needs the right on itself and on the inner one,
 * children need the right on the composition and their own rights.
 *
 * @param unknown takes their names, except those that the server sets; without it they are dropped silently
 * @throws PlatformError REQ_WITHOUT_EFFECT if they are refused
 */
export function dropDenied(
  writeModel: WriteModel,
  input: InstanceInput,
  access: ModifyAccess,
  unknown?: UnknownNames,
): InstanceInput {
  const mayModify = (owner: string, attribute: string, path = attribute): boolean => {
    if (access.mayModify(owner, attribute)) return true;
    const isOfServer = Object.values(input.entity.system).includes(path);
    if (!isOfServer) unknown?.noteWithoutEffect(input.path === '' ? path : `${input.path}.${path}`);
    return false;
  };
  const values = modifiableValues(writeModel, input, mayModify);
  if (input.children.size + input.unstored.size === 0) return values === input.values ? input : { ...input, values };
  const children = new Map<string, SentChildren>();
  for (const [attribute, sent] of input.children) {
    if (!mayModify(input.entity.name, attribute)) continue;
    children.set(
      attribute,
      sent.kind === 'one'
        ? { kind: 'one', child: sent.child === null ? null : dropDenied(writeModel, sent.child, access, unknown) }
        : { ...sent, children: sent.children.map((child) => dropDenied(writeModel, child, access, unknown)) },
    );
  }
  const unstored = new Map(
    [...input.unstored].filter(([path]) => mayModify(input.entity.name, path.split('.', 1)[0] ?? path, path)),
  );
  return { ...input, values, children, unstored };
}

/** The values that the caller may modify: mostly all of them. */
function modifiableValues(
  writeModel: WriteModel,
  { entity, values }: InstanceInput,
  mayModify: (owner: string, attribute: string, path: string) => boolean,
): InstanceInput['values'] {
  const layout = writeModel.of(entity);
  const denied = new Set<string>();
  for (const path of values.keys()) {
    const rights = layout.slots.get(path)?.rights ?? [[entity.name, path] as const];
    if (!rights.every(([owner, attribute]) => mayModify(owner, attribute, path))) denied.add(path);
  }
  return denied.size === 0 ? values : new Map([...values].filter(([path]) => !denied.has(path)));
}
