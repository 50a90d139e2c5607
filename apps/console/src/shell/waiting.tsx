import { Group, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '../context.ts';

/** Shown only where something takes longer than a moment, so that nothing blinks. */
const SHOWN_AFTER_MS = 300;

/** Something is being loaded. */
export function Waiting() {
  const text = useText();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Group justify="center" mih={120}>
      {isShown && <Loader aria-label={text('state.loading')} role="status" />}
    </Group>
  );
}
