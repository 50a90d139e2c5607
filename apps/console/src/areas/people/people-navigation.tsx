import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useRights, useText } from '../../context.ts';
import { peoplePages } from './people-pages.ts';

/** The pages of the area in the navigation. */
export function PeopleNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const text = useText();
  const open = useLocation({ select: ({ pathname }) => pathname.split('/')[2] });
  return peoplePages(useRights()).map((page) => (
    <NavLink
      key={page}
      component={Link}
      to={`/people/${page}`}
      label={text(`people.${page}`)}
      active={open === page || (page === 'roles' && open === 'rules')}
      variant="subtle"
      py={4}
      ps="xl"
      onClick={onNavigate}
    />
  ));
}
