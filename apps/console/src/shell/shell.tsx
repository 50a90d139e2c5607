import { AppShell, Burger, Group, Space, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useModel, useText } from '../context.ts';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { afterFirstLoad } from './after-first-load.ts';
import type { Area } from './area.ts';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { UserButton } from './user-button.tsx';

const NotificationsButton = lazy(() =>
  afterFirstLoad(async () => ({ default: (await import('./notifications-button.tsx')).NotificationsButton })),
);
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

interface ShellProps {
  readonly areas: readonly Area[];
}

/** The frame of all pages: header, navigation and the open area. */
export function Shell({ areas }: ShellProps) {
  const text = useText();
  const model = useModel();
  const [isOpen, { toggle, close }] = useDisclosure();
  const [searches, setSearches] = useState(0);
  const openPalette = (): void => setSearches((count) => count + 1);
  useHotkeys([['mod+K', openPalette]], []);
  usePageChanges();
  const shown = areas.filter(({ isShown }) => isShown(model));
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 260, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header>
        <UnstyledButton className={classes['skip']} onClick={() => document.getElementById('content')?.focus()}>
          {text('action.toContent')}
        </UnstyledButton>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={text('navigation.toggle')}
            aria-expanded={isOpen}
          />
          <Link to="/" className={classes['title']}>
            <Text fw={600} truncate>
              {text('console.title')}
            </Text>
          </Link>
          <UnstyledButton className={classes['search']} onClick={openPalette}>
            <IconSearch size={16} aria-hidden />
            <Text size="sm" component="span" className={classes['words']}>
              {text('palette.open')}
            </Text>
            <Text size="xs" visibleFrom="sm" component="kbd" aria-hidden>
              Ctrl K
            </Text>
          </UnstyledButton>
          <Suspense fallback={<Space w={34} />}>
            <NotificationsButton />
          </Suspense>
          <UserButton />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={text('navigation.label')} className={classes['navbar']}>
        <Navigation areas={shown} onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes['main']}>
        <ErrorBoundary>
          <Outlet />
        </ErrorBoundary>
      </AppShell.Main>
      {searches > 0 && (
        <Suspense fallback={<VisuallyHidden role="status">{text('state.loading')}</VisuallyHidden>}>
          <CommandPalette areas={shown} opened={searches} />
        </Suspense>
      )}
    </AppShell>
  );
}

/**
 * When another page is shown, the focus is in its content if the element that had it is gone; the title of the tab, and
 * of the page in the history, is that of the page.
 */
function usePageChanges(): void {
  const text = useText();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const isFirst = shown.current === undefined || shown.current === path;
    shown.current = path;
    if (!isFirst && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    const content = document.getElementById('content');
    if (content === null) return undefined;
    const name = (): void => {
      const title = content.querySelector('h1')?.textContent ?? '';
      const all = [title, text('console.title')].filter((part) => part !== '').join(' – ');
      if (document.title !== all) document.title = all;
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(content, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [text]);
}
