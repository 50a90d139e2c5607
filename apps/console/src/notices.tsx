import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { onQuestion, openQuestion } from './reason/ask-reason.ts';

const ReasonDialog = lazy(async () => ({
  default: (await import('./areas/data/reason/reason-dialog.tsx')).ReasonDialog,
}));

/** Messages, and the question for the reason of a change. */
export function Notices() {
  const question = useSyncExternalStore(onQuestion, openQuestion);
  return (
    <>
      <Notifications position="bottom-right" />
      {question !== undefined && (
        <Suspense fallback={null}>
          <ReasonDialog {...question} />
        </Suspense>
      )}
    </>
  );
}
