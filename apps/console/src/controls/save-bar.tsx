import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../context.ts';
import classes from './save-bar.module.css';

interface SaveBarProps {
  readonly isSaving: boolean;
  readonly canSave?: boolean;
  /** Without it the button submits the form around. */
  readonly onSave?: (() => void) | undefined;
  /** Absent while there is nothing to discard. */
  readonly onDiscard?: (() => void) | undefined;
  /** Further actions, at the end. */
  readonly children?: ReactNode;
}

/** The buttons of an edited page, which stay in reach while it scrolls. */
export function SaveBar({ isSaving, canSave = true, onSave, onDiscard, children }: SaveBarProps) {
  const text = useText();
  return (
    <Group className={classes['bar']}>
      <Button
        variant="filled"
        type={onSave === undefined ? 'submit' : 'button'}
        loading={isSaving}
        disabled={!canSave}
        onClick={onSave}
      >
        {text('action.save')}
      </Button>
      <Button disabled={onDiscard === undefined} onClick={onDiscard}>
        {text('action.discard')}
      </Button>
      {children}
    </Group>
  );
}
