/** A short message at the edge of the page. */
export interface Notice {
  readonly title?: string;
  readonly message: string;
  /** Errors stay until the user closes them. */
  readonly isError?: boolean;
  /** What the button that closes it is called. */
  readonly closeLabel: string;
}

/** Shows a message; what shows it is loaded with the first one. */
export async function notify({ title, message, isError = false, closeLabel }: Notice): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.show({
    message,
    ...(title !== undefined && { title }),
    closeButtonProps: { 'aria-label': closeLabel },
    ...(isError && { color: 'red', autoClose: false, role: 'alert' }),
  });
}
