import { Button, FileButton, Paper, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useText } from '../../../context.ts';
import { FILE_ENDINGS } from './file-type.ts';

interface FileChoiceProps {
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
}

/** Chooses a file, also by dropping it. */
export function FileChoice({ file, onChoose }: FileChoiceProps) {
  const text = useText();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped !== undefined) onChoose(dropped);
  };
  return (
    <Paper
      withBorder
      p="md"
      {...(isOver && { bg: 'var(--mantine-primary-color-light)' })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton
        accept={FILE_ENDINGS}
        onChange={(chosen) => chosen !== null && onChoose(chosen)}
        inputProps={{ 'aria-label': text('import.file') }}
      >
        {(props) => <Button {...props}>{text('import.file')}</Button>}
      </FileButton>
      <Text size="sm" mt="xs">
        {file?.name ?? text('import.drop')}
      </Text>
    </Paper>
  );
}
