import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Drawer.css';
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useOverlay } from './use-overlay.ts';

interface SideDialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog at the end of the lines of the page, as high as the window, for much content; rendered while it is open. */
export function SideDialog({ title, onClose, children }: SideDialogProps) {
  const isPhone = useMediaQuery('(max-width: 48em)');
  return (
    // The kit shows what is on the right on the left in languages that are written from right to left.
    <Drawer title={title} position="right" size={isPhone === true ? '100%' : 'xl'} {...useOverlay(true, onClose)}>
      {children}
    </Drawer>
  );
}
