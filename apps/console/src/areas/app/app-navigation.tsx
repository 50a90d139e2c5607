import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useLanguage, useRights } from '../../context.ts';
import { localText } from '../../extension/local-text.ts';
import { shownPages } from '../../extension/shown-pages.ts';
import { useExtension } from '../../extension/use-extension.ts';

/** The pages of the extension in the navigation. */
export function AppNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { locale } = useLanguage();
  const { parts } = useExtension();
  const rights = useRights();
  const open = useLocation({ select: ({ pathname }) => pathname.split('/')[2] });
  return (
    <div>
      {shownPages(parts, rights).map(({ path, title }) => (
        <NavLink
          key={path}
          component={Link}
          to={`/app/${path}`}
          label={localText(title, locale)}
          active={open === path}
          variant="subtle"
          py={4}
          ps="xl"
          onClick={onNavigate}
        />
      ))}
    </div>
  );
}
