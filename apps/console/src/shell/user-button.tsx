import { ActionIcon } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useModel, useText } from '../context.ts';

const UserMenu = lazy(async () => ({ default: (await import('./user-menu.tsx')).UserMenu }));

/** Opens the menu of the user, which is loaded when it is opened first. */
export function UserButton() {
  const text = useText();
  const { user } = useModel();
  const [isLoaded, setLoaded] = useState(false);
  const button = (
    <ActionIcon
      size={34}
      aria-haspopup="menu"
      aria-label={text('user.menu', { name: user.username })}
      onClick={() => setLoaded(true)}
    >
      <IconUser size={18} />
    </ActionIcon>
  );
  return isLoaded ? (
    <Suspense fallback={button}>
      <UserMenu />
    </Suspense>
  ) : (
    button
  );
}
