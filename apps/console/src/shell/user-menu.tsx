import { useLanguage, useModel } from '../context.ts';
import '@mantine/core/styles/Menu.css';
import { ActionIcon, Box, Menu, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/Divider.css';
import { useLogin } from '@lintel/react';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser, IconUserCog } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { nameOf } from '../language/languages.ts';
import { LANGUAGES } from '../language/load-texts.ts';

const SCHEMES = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

/** Who is logged in, colours, language and logout. */
export function UserMenu() {
  const { text, locale, change } = useLanguage();
  const { user } = useModel();
  const login = useLogin();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const target = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It has the focus of the button that loaded it, and gives it back.
  useEffect(() => {
    target.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" width={220} withinPortal={false} opened={isOpen} onChange={setOpen} returnFocus>
      <Menu.Target>
        <ActionIcon ref={target} size={34} aria-label={text('user.menu', { name: user.username })}>
          <IconUser size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text('user.loggedInAs', { name: user.username })}</Menu.Label>
        <Menu.Item component={Link} to="/people/account" leftSection={<IconUserCog size={16} />}>
          {text('user.account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text('theme.label')}</Menu.Label>
        <Box role="group" aria-label={text('theme.label')}>
          <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}>
            {SCHEMES.map(([scheme, Icon]) => (
              <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} />} closeMenuOnClick>
                {text(`theme.${scheme}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Box>
        <Menu.Divider />
        <Menu.Label>{text('language.label')}</Menu.Label>
        <Box role="group" aria-label={text('language.label')}>
          <Menu.RadioGroup value={locale} onChange={change}>
            {LANGUAGES.map((each) => (
              <Menu.RadioItem key={each} value={each} lang={each} closeMenuOnClick>
                {nameOf(each)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Box>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void login.logOut()}>
          {text('action.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
