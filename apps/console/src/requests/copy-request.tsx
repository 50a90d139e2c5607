import { ActionIcon } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../context.ts';
import type { DescribedRequest } from './described-request.ts';

const Menu = lazy(async () => ({ default: (await import('./copy-request-menu.tsx')).CopyRequestMenu }));

interface CopyRequestProps {
  /** The request that the page has sent for what it shows. */
  readonly request: DescribedRequest;
}

/** A button with a menu that copies the request of a page as a command or as code; loaded when it is opened. */
export function CopyRequest({ request }: CopyRequestProps) {
  const text = useText();
  const [isWanted, setWanted] = useState(false);
  const button = (
    <ActionIcon
      size={36}
      aria-label={text('request.menu')}
      title={text('request.menu')}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <IconApi size={18} stroke={1.5} />
    </ActionIcon>
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <Menu request={request} />
    </Suspense>
  ) : (
    button
  );
}
