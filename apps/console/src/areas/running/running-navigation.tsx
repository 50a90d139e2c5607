import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useModel, useText } from '../../context.ts';
import { RUNNING_PAGES } from './running-pages.ts';

/** The pages of the running system. */
export function RunningNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const text = useText();
  const model = useModel();
  const open = useLocation({ select: ({ pathname }) => pathname.split('/')[2] });
  return RUNNING_PAGES.filter(({ isShown }) => isShown(model)).map(({ name }) => (
    <NavLink
      key={name}
      component={Link}
      to={`/running/${name}`}
      label={text(`running.${name}`)}
      active={open === name}
      variant="subtle"
      py={4}
      ps="xl"
      onClick={onNavigate}
    />
  ));
}
