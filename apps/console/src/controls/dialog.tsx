import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOverlay } from './use-overlay.ts';

interface DialogProps {
  readonly title: ReactNode;
  /** Absent for a dialog that is rendered while it is open only. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly size?: 'md' | 'xl';
  readonly children: ReactNode;
}

/** A dialog above the page. Escape closes it, and the focus returns to where it was. */
export const Dialog = ({ title, isOpen = true, onClose, size = 'md', children }: DialogProps) => (
  <Modal title={title} size={size} {...useOverlay(isOpen, onClose)}>
    {children}
  </Modal>
);
