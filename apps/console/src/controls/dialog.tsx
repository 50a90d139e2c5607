import { useText } from '../context.ts';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusReturn } from './use-focus-return.ts';
import { useInnermost } from './use-innermost.ts';

interface DialogProps {
  readonly title: ReactNode;
  /** Absent for a dialog that is rendered while it is open only. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly size?: 'md' | 'xl';
  readonly children: ReactNode;
}

/** Parts of dialogs: the header is no banner of the page. */
export const DIALOG_PARTS = { header: { role: 'none' } };

/** A dialog above the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, isOpen = true, onClose, size = 'md', children }: DialogProps) {
  const text = useText();
  useFocusReturn(isOpen);
  const isInnermost = useInnermost(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnEscape={isInnermost}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': text('action.close') }}
      attributes={DIALOG_PARTS}
    >
      {children}
    </Modal>
  );
}
