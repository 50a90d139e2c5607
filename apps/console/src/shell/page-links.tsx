import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';

export interface PageLinksProps {
  /** The first segment of the paths. */
  readonly area: string;
  readonly pages: readonly { readonly path: string; readonly name: string; readonly search?: unknown }[];
  /** Names of pages that count as another one. */
  readonly partOf?: Readonly<Record<string, string>>;
  readonly onNavigate: () => void;
}

/** Links to pages of the open area, below its entry in the navigation. */
export function PageLinks({ area, pages, partOf = {}, onNavigate }: PageLinksProps) {
  const open = useLocation({ select: ({ pathname }) => pathname.split('/')[2] ?? '' });
  return pages.map(({ path, name, search }) => (
    <NavLink
      key={path}
      component={Link}
      to={`/${area}/${path}`}
      search={search as never}
      label={name}
      active={(partOf[open] ?? open) === path}
      variant="subtle"
      py={4}
      ps="xl"
      onClick={onNavigate}
    />
  ));
}
