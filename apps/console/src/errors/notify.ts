/** A short message at the edge of the page. */
export interface Notice {
  readonly title?: string;
  readonly message: string;
  /** Errors stay until the user closes them. */
  readonly isError?: boolean;
  /** What the button that closes it is called. */
  readonly closeLabel: string;
}

const first = Promise.withResolvers<void>();

/** Resolves with the first message: what shows it must be loaded then. */
export const firstNotice: Promise<void> = first.promise;

/** Shows a message. */
export async function notify({ title, message, isError = false, closeLabel }: Notice): Promise<void> {
  first.resolve();
  const { notifications } = await import('@mantine/notifications');
  notifications.show({
    message,
    ...(title !== undefined && { title }),
    closeButtonProps: { 'aria-label': closeLabel },
    ...(isError && { color: 'red', autoClose: false, role: 'alert' }),
  });
}
