import { type Entity, entityOf, isToMany } from '@lintel/metadata';
import { type ExactJson, isExactObject } from '@lintel/query';
import { GRAPHS, mapInSlices } from '../../slices/map-in-slices.ts';
import { missingReference } from '../graph/missing-reference.ts';
import type { SaveItem } from '../merge/build-graph.ts';
import type { MatchKey } from '../model/match-keys.ts';
import { cannotDeserialize } from '../parse/deserialization-error.ts';
import type { InstanceInput, SentChildren, SentValue } from '../parse/instance-input.ts';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText, type Scalar } from '../values/value.ts';
import type { WriteCall } from '../write-call.ts';
import { findVisible } from './find-visible.ts';
import { keyNamed, keyNames, keyValuesOf } from './named-key.ts';

/** A reference by key: the attributes that its object names, and the instance as soon as it is found. */
interface Sought {
  readonly target: Entity;
  readonly match: MatchKey;
  readonly values: readonly Scalar[];
  readonly path: string;
  key?: Key;
}

/**
 * Finds the targets of the references without an id by the unique attributes that they have instead, at every level
 * (contract/writing.md#upsert-references): one statement for each entity and key.
 *
 * @throws PlatformError naming the attribute, if there is no such instance that the caller may see
 */
export async function resolveReferences(
  call: WriteCall,
  scope: WriteScope,
  items: readonly SaveItem[],
): Promise<readonly SaveItem[]> {
  const sought = new Map<string, Sought>();
  const settling: (() => void)[] = [];
  const resolved = await mapInSlices(items, (item) => ({ ...item, input: withTargets(item.input) }), GRAPHS);
  for (const group of Map.groupBy(sought.values(), ({ match }) => match).values())
    await findTargets(call, scope, group);
  for (const settle of settling) settle();
  return resolved;

  function withTargets(input: InstanceInput): InstanceInput {
    const children = new Map([...input.children].map(([name, sent]) => [name, withTargetsOf(sent)]));
    const open = [...input.values].filter(([, { value }]) => value === 'missing');
    if (open.length === 0) return input.children.size === 0 ? input : { ...input, children };
    const values = new Map(input.values);
    for (const [path, sent] of open) settleLater(input, path, sent, values);
    return { ...input, values, children };
  }

  function withTargetsOf(sent: SentChildren): SentChildren {
    if (sent.kind === 'many') return { ...sent, children: sent.children.map(withTargets) };
    return { ...sent, child: sent.child && withTargets(sent.child) };
  }

  function settleLater(input: InstanceInput, path: string, sent: SentValue, values: Map<string, SentValue>): void {
    const attribute = call.writeModel.of(input.entity).slots.get(path)?.attribute ?? input.entity.attributes.get(path);
    if (attribute?.kind !== 'reference') return;
    const target = entityOf(call.model, attribute.target);
    const at = input.path === '' ? path : `${input.path}.${path}`;
    if (!isToMany(attribute)) {
      const found = soughtIn(target, sent.sent, at);
      settling.push(() => values.set(path, { ...sent, value: { key: found.key as Key } }));
      return;
    }
    const members = (sent.sent as readonly ExactJson[]).map((member, index) =>
      soughtIn(target, member, `${at}[${index}]`),
    );
    settling.push(() => {
      const keys = new Map(members.map(({ key }) => [keyText(key as Key), key as Key]));
      values.set(path, { ...sent, value: [...keys.values()].map((key) => ({ key })) });
    });
  }

  function soughtIn(target: Entity, json: ExactJson, path: string): { readonly key?: Key } {
    const text = `${target.name} ${JSON.stringify(json)}`;
    const known = sought.get(text);
    if (known !== undefined) return known;
    const members = isExactObject(json) ? json : {};
    const id = keyMemberOf(target, members);
    const key = id === undefined ? undefined : readKey(call.model, target, id);
    if (key !== undefined) return { key };
    const names = Object.keys(members).filter((name) => !name.startsWith('_'));
    const match = keyNamed(call, target, names);
    const values = match === undefined ? '' : keyValuesOf(call, target, match, members, path);
    if (match === undefined || typeof values === 'string')
      throw cannotDeserialize(`Attribute '${path}' must have ${keyNames(call, target)} of a ${target.name}`);
    const found: Sought = { target, match, values, path };
    sought.set(text, found);
    return found;
  }
}

async function findTargets(call: WriteCall, scope: WriteScope, group: readonly Sought[]): Promise<void> {
  const { target, match } = group[0] as Sought;
  const { rows } = await findVisible(call, scope, target, { match, values: group.map(({ values }) => values) });
  for (const [at, sought] of group.entries()) {
    const key = rows[at]?.key;
    if (key === undefined) throw missingReference('update', sought.path);
    sought.key = key;
  }
}
