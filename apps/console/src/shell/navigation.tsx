import { NavLink } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useText } from '../context.ts';
import { useExplorer } from '../requests/use-explorer.ts';
import type { Area } from './area.ts';
import { AreaTexts } from './area-frame.tsx';

interface NavigationProps {
  readonly areas: readonly Area[];
  /** Called when a page was chosen; on a phone it closes the navigation. */
  readonly onNavigate: () => void;
}

/** The areas with what the open one adds, and the explorer of the API. */
export function Navigation({ areas, onNavigate }: NavigationProps) {
  const text = useText();
  const open = useLocation({ select: ({ pathname }) => pathname.split('/').find((segment) => segment !== '') });
  const explorer = useExplorer();
  const entries = areas.map((area) => {
    const { name, icon: Icon } = area;
    const isOpen = name === open;
    return (
      <div key={name}>
        <NavLink
          component={Link}
          to={`/${name}`}
          label={text(`area.${name}`)}
          leftSection={<Icon size={18} stroke={1.5} />}
          active={isOpen}
          onClick={onNavigate}
        />
        {isOpen && <AreaNavigation area={area} onNavigate={onNavigate} />}
      </div>
    );
  });
  if (explorer === undefined) return entries;
  return (
    <>
      {entries}
      <NavLink
        href={explorer}
        target="_blank"
        label={text('area.api')}
        leftSection={<IconApi size={18} stroke={1.5} />}
      />
    </>
  );
}

function AreaNavigation({ area, onNavigate }: { readonly area: Area; readonly onNavigate: () => void }) {
  const { name, navigation } = area;
  const Content = useMemo(
    () => (navigation === undefined ? undefined : lazy(async () => ({ default: await navigation() }))),
    [navigation],
  );
  if (Content === undefined) return null;
  return (
    <AreaTexts area={name}>
      <Suspense fallback={null}>
        <Content onNavigate={onNavigate} />
      </Suspense>
    </AreaTexts>
  );
}
