import { isNewLine, joinPath } from '@lintel/react';
import { Group } from '@mantine/core';
import { memo, useMemo } from 'react';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { formAttributesOf } from '../attributes/form-attributes.ts';
import { Field } from '../field.tsx';
import classes from '../form.module.css';
import { LineButtons } from './line-buttons.tsx';
import type { LineProps } from './line-props.ts';

/** A line of a table, with an input in each cell. */
export const LineRow = memo(function LineRow(props: LineProps) {
  const { entity, line, number, path, columns, isReadOnly } = props;
  const text = useText();
  const model = useModel();
  const isRemoved = line._removed === true;
  const isNew = isNewLine(line);
  // What may be entered differs between a new line and a stored one.
  const fields = useMemo(() => {
    const info = model.entities.get(entity);
    const all = new Map(
      (info === undefined ? [] : formAttributesOf(info, model.rights, isNew)).map((each) => [
        each.attribute.name,
        each,
      ]),
    );
    return columns.map((column) => {
      const field = all.get(column.attribute.name) ?? column;
      return isReadOnly || isRemoved ? { ...field, isReadOnly: true } : field;
    });
  }, [model, entity, columns, isNew, isReadOnly, isRemoved]);
  return (
    <tr className={isRemoved ? classes['removed'] : undefined}>
      {fields.map((field) => {
        const { name } = field.attribute;
        return (
          <td key={name}>
            <Field
              entity={entity}
              field={field}
              value={line[name]}
              path={joinPath(path, name)}
              isNew={isNew}
              cellLabel={text('lines.cell', { name: captionOf(model, entity, name), count: number })}
            />
          </td>
        );
      })}
      <td style={{ textDecoration: 'none' }}>
        <Group gap={4} wrap="nowrap" justify="end">
          <LineButtons {...props} />
        </Group>
      </td>
    </tr>
  );
});
