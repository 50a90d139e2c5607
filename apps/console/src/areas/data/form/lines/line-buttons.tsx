import { keyOfLine } from '@lintel/react';
import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconPencil, IconTrash, IconZoomIn } from '@tabler/icons-react';
import { useText } from '../../../../context.ts';
import { useMessagesBelow } from '../form-context.ts';
import type { LineProps } from './line-props.ts';

/** Opens the form of a line, removes it or restores it. */
export function LineButtons({ line, number, path, label, isReadOnly, mayRemove, onOpen, onRemove }: LineProps) {
  const text = useText();
  const mistakes = useMessagesBelow(path);
  const isRemoved = line._removed === true;
  const name = text('lines.line', { name: label, count: number });
  const OpenIcon = isReadOnly ? IconZoomIn : IconPencil;
  return (
    <>
      {!isRemoved && (
        <ActionIcon
          size={30}
          {...(mistakes > 0 && { 'data-mistakes': mistakes, variant: 'light', color: 'red' })}
          aria-label={
            mistakes > 0 ? text('lines.openMistakes', { name, count: mistakes }) : text('lines.open', { name })
          }
          onClick={() => onOpen(keyOfLine(line))}
        >
          <OpenIcon size={15} />
        </ActionIcon>
      )}
      {mayRemove && (
        <ActionIcon
          size={30}
          aria-label={text(isRemoved ? 'lines.restore' : 'lines.remove', { name })}
          onClick={() => onRemove(path, line)}
        >
          {isRemoved ? <IconArrowBackUp size={15} /> : <IconTrash size={15} />}
        </ActionIcon>
      )}
    </>
  );
}
