import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { Area } from '../areas/area.ts';
import { useText } from '../language/text-provider.tsx';
import { AreaTexts } from './area-frame.tsx';

interface NavigationProps {
  readonly areas: readonly Area[];
  /** Called when a page was chosen; on a phone it closes the navigation. */
  readonly onNavigate: () => void;
}

/** The areas, and what the open one adds. */
export function Navigation({ areas, onNavigate }: NavigationProps) {
  const text = useText();
  const open = useLocation({ select: ({ pathname }) => pathname.split('/').find((segment) => segment !== '') });
  return areas.map((area) => {
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
