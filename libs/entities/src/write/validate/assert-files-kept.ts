import type { ValidationItem } from '@lintel/errors';
import { validationError } from '@lintel/errors';
import type { Attribute } from '@lintel/metadata';
import { fileKeyOf, fileLockSql } from '@lintel/reading';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { Layout } from '../model/layout.ts';
import type { WriteRights, WriteScope } from '../scope/write-scope.ts';
import type { Value } from '../values/value.ts';

const TEMPLATE = '{lintel.validation.FileRemoved.message}';

/**
 * Asserts that no file is removed that the save begins to refer to (contract/operations.md#unreferenced-files), and that
 * the caller may read it: the reference would open it (contract/files.md#access). A shared
 * lock on the files is held until the commit, so that a removal at the same time sees the reference, or the save sees
 * the removal.
 *
 * @throws PlatformError DATA_VALIDATION_FAILED naming the attributes
 */
export async function assertFilesKept(
  scope: Pick<WriteScope, 'transaction' | 'localize'>,
  { unreadableFiles }: Pick<WriteRights, 'unreadableFiles'>,
  nodes: readonly InstanceNode[],
): Promise<void> {
  const uses = nodes.flatMap((node) => (hasFiles(node.layout) ? fileUsesOf(node) : []));
  if (uses.length === 0) return;
  const keys = [...new Set(uses.map(({ key }) => key))].sort();
  const { transaction, localize } = scope;
  await transaction.query({ name: 'entities_lock_files', text: fileLockSql('shared'), values: [keys] });
  // A statement of its own: it must see what was committed while the locks were waited for.
  const rows = await transaction.query<{ readonly key: string }>({
    name: 'entities_removed_files',
    text: 'SELECT file_key AS key FROM sys.removed_file WHERE file_key = ANY ($1::text[])',
    values: [keys],
  });
  const unreadable = await unreadableFiles?.(uses.map(({ value }) => value));
  const removed = new Set([...rows.map(({ key }) => key), ...(unreadable ?? [])]);
  if (removed.size === 0) return;
  throw validationError(
    uses
      .filter(({ key }) => removed.has(key))
      .map(
        ({ path, value, entity }): ValidationItem => ({
          message: localize({ messageTemplate: TEMPLATE, parameters: {} }, entity),
          messageTemplate: TEMPLATE,
          path,
          invalidValue: value,
        }),
      ),
  );
}

interface FileUse {
  /** Path from the sent root. */
  readonly path: string;
  readonly value: string;
  readonly key: string;
  readonly entity: string;
}

function fileUsesOf(node: InstanceNode): readonly FileUse[] {
  const { layout, before, after } = node;
  return changedPaths(layout, before, after).flatMap((name) => {
    const attribute = layout.slots.get(name)?.attribute ?? layout.elements.find((each) => each.name === name);
    if (attribute === undefined || !isOfFiles(attribute)) return [];
    const known = new Set(textsOf(before?.get(name)));
    const path = node.path === '' ? name : `${node.path}.${name}`;
    return textsOf(after.get(name))
      .filter((value) => !known.has(value))
      .map((value) => ({ path, value, key: fileKeyOf(value), entity: node.entity.name }));
  });
}

const textsOf = (value: Value | undefined): readonly string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string');

const isOfFiles = (attribute: Attribute): boolean =>
  (attribute.kind === 'datatype' || attribute.kind === 'elements') && attribute.datatype === 'fileRef';

const WITH_FILES = new WeakMap<Layout, boolean>();

function hasFiles(layout: Layout): boolean {
  const known = WITH_FILES.get(layout);
  if (known !== undefined) return known;
  const found = [...layout.slots.values()].some(({ attribute }) => isOfFiles(attribute));
  const result = found || layout.elements.some(isOfFiles);
  WITH_FILES.set(layout, result);
  return result;
}
