import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { ActionNotice, type NoticeAction } from './notice-action.tsx';

/** A short message at the edge of the page. */
export interface Notice {
  readonly title?: string;
  readonly message: string;
  /** Errors stay until the user closes them. */
  readonly isError?: boolean;
  /** Offer of the message, which then stays for longer. */
  readonly action?: NoticeAction | undefined;
  /** What the button that closes it is called. */
  readonly closeLabel: string;
}

/** Long enough to read it and to reach the button. */
const ACTION_MS = 12_000;

/** Shows a message. */
export function notify({ title, message, isError = false, action, closeLabel }: Notice): void {
  const common = {
    ...(title !== undefined && { title }),
    closeButtonProps: { 'aria-label': closeLabel },
    ...(isError && { color: 'red', autoClose: false, role: 'alert' }),
  };
  if (action === undefined) {
    notifications.show({ ...common, message });
    return;
  }
  const run = (): void => {
    notifications.hide(id);
    action.run();
  };
  const content = createElement(ActionNotice, { message, label: action.label, run });
  const id: string = notifications.show({ ...common, message: content, autoClose: ACTION_MS });
}
