import {
  createLine,
  defaultsOf,
  entityOfValue,
  isNewLine,
  joinPath,
  keyOfLine,
  type Line,
  linesOf,
} from '@lintel/react';
import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useMemo, useState } from 'react';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { SideDialog } from '../../../../controls/side-dialog.tsx';
import { PlainTable } from '../../../../table/plain-table.tsx';
import { concreteEntitiesOf } from '../../concrete-entities.ts';
import { AddButton } from '../add-button.tsx';
import { ErrorText } from '../checking/error-text.tsx';
import classes from '../form.module.css';
import { type LabelledFieldProps, useForm, useMessage } from '../form-context.ts';
import { InstanceFields } from '../instance-fields.tsx';
import { LineCard } from './line-card.tsx';
import { columnsOfLines } from './line-fields.ts';
import type { LineProps } from './line-props.ts';
import { LineRow } from './line-row.tsx';

/** Further lines are shown on request: each has several inputs. */
const SHOWN_AT_FIRST = 50;

/** The children of a composition: a table of inputs, cards on a phone, and a form for each. */
export function LinesField({ field, value, path, isNew, label, error }: LabelledFieldProps) {
  const { attribute, isReadOnly } = field;
  const { type, inverse } = attribute;
  const text = useText();
  const model = useModel();
  const { entities, rights } = model;
  const { change } = useForm();
  const isPhone = useMediaQuery('(max-width: 48em)');
  const [open, setOpen] = useState<string>();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const lines = linesOf(value);
  const columns = useMemo(() => {
    const entity = entities.get(type);
    return entity === undefined ? [] : columnsOfLines(entity, rights, inverse);
  }, [entities, rights, type, inverse]);
  // Lines that were not read cannot be sent: the array is the whole collection.
  const isKnown = value !== undefined || isNew;
  const concrete = useMemo(() => concreteEntitiesOf({ entities, rights }, type), [entities, rights, type]);
  const mayAdd = !isReadOnly && isKnown && concrete.length > 0;
  const mayRemove = !isReadOnly && rights.may(type, 'update');
  const openLine = useCallback((key: string) => setOpen(key), []);
  const remove = useCallback(
    (at: string, line: Line) => {
      const { _removed, ...kept } = line;
      change(at, _removed === true ? kept : { ...line, _removed: true });
    },
    [change],
  );
  const add = (entity: string): void => {
    const line = createLine({ ...defaultsOf(entities.get(entity)), ...(entity !== type && { _entityName: entity }) });
    change(path, [...lines, line]);
    setShown((before) => Math.max(before, lines.length + 1));
    // Attributes of a descendant have no columns.
    if (isPhone === true || columns.length === 0 || entity !== type) setOpen(keyOfLine(line));
  };
  const opened = lines.find((line) => keyOfLine(line) === open);
  const rowProps = (line: Line, at: number) => ({
    entity: entityOfValue(entities, line, type),
    line,
    number: at + 1,
    path: joinPath(path, keyOfLine(line)),
    label,
    columns,
    isReadOnly,
    mayRemove: mayRemove || (isNewLine(line) && mayAdd),
    onOpen: openLine,
    onRemove: remove,
  });
  const visible = lines.slice(0, shown);
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} withAsterisk={attribute.mandatory && !isReadOnly}>
      {lines.length === 0 && <Text size="sm">{text('lines.none')}</Text>}
      {lines.length > 0 && isPhone === true && (
        <Stack gap="xs" component="ul" className={classes['list']} aria-label={label}>
          {visible.map((line, at) => (
            <LineCard key={keyOfLine(line)} {...rowProps(line, at)} />
          ))}
        </Stack>
      )}
      {lines.length > 0 && isPhone !== true && (
        <PlainTable className={classes['lines']} label={label} minWidth={Math.min(columns.length * 130 + 90, 760)}>
          <thead>
            <tr>
              {columns.map(({ attribute: { name, mandatory } }) => (
                <th key={name} scope="col">
                  {captionOf(model, type, name)}
                  {mandatory && !isReadOnly && <span aria-hidden> *</span>}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {visible.map((line, at) => (
              <LineRow key={keyOfLine(line)} {...rowProps(line, at)} />
            ))}
          </tbody>
        </PlainTable>
      )}
      <Group mt="xs" gap="xs">
        {mayAdd && (
          <AddButton entities={concrete} onAdd={add}>
            {text('lines.add', { name: captionOf(model, type) })}
          </AddButton>
        )}
        {lines.length > shown && (
          <Button size="compact-sm" variant="subtle" onClick={() => setShown(lines.length)}>
            {text('lines.showAll', { count: lines.length })}
          </Button>
        )}
      </Group>
      {opened !== undefined && (
        <LineDrawer {...rowProps(opened, lines.indexOf(opened))} without={inverse} onClose={() => setOpen(undefined)} />
      )}
    </Input.Wrapper>
  );
}

interface LineDrawerProps extends LineProps {
  readonly without: string | undefined;
  readonly onClose: () => void;
}

/** All fields of a line, with the children that it has itself. What is entered is part of the form at once. */
function LineDrawer({ entity, line, number, path, label, isReadOnly, without, onClose }: LineDrawerProps) {
  const text = useText();
  const message = useMessage(path);
  return (
    <SideDialog onClose={onClose} title={text('lines.line', { name: label, count: number })}>
      <ErrorText message={message} />
      <InstanceFields
        entityName={entity}
        values={line}
        path={path}
        isNew={isNewLine(line)}
        isLocked={isReadOnly}
        without={without}
        hasAutomatic={false}
      />
      <Group justify="end" mt="md">
        <Button variant="filled" onClick={onClose}>
          {text('lines.done')}
        </Button>
      </Group>
    </SideDialog>
  );
}
