import { isNewLine } from '@lintel/react';
import { Button, Group } from '@mantine/core';
import { useText } from '../../../../context.ts';
import { SideDialog } from '../../../../controls/side-dialog.tsx';
import { ErrorText } from '../checking/error-text.tsx';
import { useMessage } from '../form-context.ts';
import { InstanceFields } from '../instance-fields.tsx';
import type { LineProps } from './line-props.ts';

interface LineDrawerProps extends LineProps {
  readonly without: string | undefined;
  readonly onClose: () => void;
}

/** All fields of a line, with the children that it has itself. What is entered is part of the form at once. */
export function LineDrawer({ entity, line, number, path, label, isReadOnly, without, onClose }: LineDrawerProps) {
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
