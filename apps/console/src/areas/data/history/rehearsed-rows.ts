import type { RehearsedChange } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES, idSegment } from '@lintel/react';
import { captionOf } from '../../../context.ts';
import { type ChangeRow, changeRows } from './change-rows.ts';

type CaptionModel = Parameters<typeof changeRows>[0];

/** The changes of a rehearsal as rows, without what the platform sets; `entity` and `id` are of the instance that is shown. */
export function rehearsedRows(
  model: CaptionModel,
  changes: readonly RehearsedChange[],
  { entity, id }: { readonly entity: string; readonly id: string },
): readonly ChangeRow[] {
  return changes.flatMap((change, at) => {
    const isShown = change.entity === entity && idSegment(change.id) === id;
    const path = isShown ? [] : [captionOf(model, change.entity), `#${at + 1}`];
    const attributes = change.attributes.filter(({ attribute }) => !AUTOMATIC_ATTRIBUTES.has(attribute));
    const whole = {
      ...{ key: `${at}`, path: isShown ? [captionOf(model, entity)] : path, attribute: undefined },
      ...{ before: undefined, after: undefined, part: change.change },
    };
    const rows = changeRows(model, change.entity, { attributes }, path);
    return [
      ...(change.change === 'updated' ? [] : [whole]),
      ...rows.map((row) => ({ ...row, key: `${at} ${row.key}` })),
    ];
  });
}
