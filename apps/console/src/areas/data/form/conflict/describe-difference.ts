import { type Difference, isObject, type Values } from '@lintel/react';
import { captionOf, type Model } from '../../../../context.ts';
import { type Formats, formatValue, nameOfInstance } from '../../values/format-value.ts';

/** Words for differences. */
export interface ConflictWords extends Omit<Formats, 'enums'> {
  readonly model: Pick<Model, 'captions' | 'enums'>;
}

/** The way to a difference: attributes, and the instances of compositions. */
export const captionOfDifference = ({ steps }: Difference, { model, text }: ConflictWords): string =>
  steps
    .map((step) =>
      'instance' in step
        ? nameOfLine(step.instance, text('conflict.newLine'))
        : captionOf(model, step.entity, step.attribute.name),
    )
    .join(' › ');

/** A value of a difference as a text; of an instance its name. */
export function valueOfDifference(
  { steps }: Difference,
  value: unknown,
  { model, text, locale }: ConflictWords,
): string {
  const last = steps.at(-1);
  if (last === undefined) return '';
  if ('instance' in last)
    return isObject(value) ? nameOfLine(value, text('conflict.newLine')) : text('conflict.noLine');
  return formatValue(value, last.attribute, { locale, text, enums: model.enums });
}

const nameOfLine = (line: Values, otherwise: string): string =>
  typeof line['_instanceName'] === 'string' && line['_instanceName'] !== ''
    ? line['_instanceName']
    : line['id'] === undefined
      ? otherwise
      : nameOfInstance(line);
