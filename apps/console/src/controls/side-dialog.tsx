import { useText } from '../context.ts';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Drawer.css';
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { DIALOG_PARTS } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';
import { useInnermost } from './use-innermost.ts';

interface SideDialogProps {
  readonly title: ReactNode;
  /** Absent for a dialog that is rendered while it is open only. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog at the end of the lines of the page, as high as the window, for much content. */
export function SideDialog({ title, isOpen = true, onClose, children }: SideDialogProps) {
  const text = useText();
  const isPhone = useMediaQuery('(max-width: 48em)');
  useFocusReturn(isOpen);
  const isInnermost = useInnermost(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      // The kit shows it on the left in languages that are written from right to left.
      position="right"
      size={isPhone === true ? '100%' : 'xl'}
      closeOnEscape={isInnermost}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': text('action.close') }}
      attributes={DIALOG_PARTS}
    >
      {children}
    </Drawer>
  );
}
