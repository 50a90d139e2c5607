import '@mantine/core/styles/Menu.css';
import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/Divider.css';
import { useLogin } from '@lintel/react';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { nameOf } from '../language/languages.ts';
import { LANGUAGES } from '../language/load-texts.ts';
import { useLanguage } from '../language/text-provider.tsx';
import { useModel } from '../model/model-provider.tsx';

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
  return (
    <Menu position="bottom-end" width={220} defaultOpened>
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={text('user.menu', { name: user.username })}>
          <IconUser size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text('user.loggedInAs', { name: user.username })}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{text('theme.label')}</Menu.Label>
        {SCHEMES.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} />}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            fw={colorScheme === scheme ? 600 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {text(`theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{text('language.label')}</Menu.Label>
        {LANGUAGES.map((each) => (
          <Menu.Item
            key={each}
            lang={each}
            role="menuitemradio"
            aria-checked={each === locale}
            fw={each === locale ? 600 : undefined}
            onClick={() => change(each)}
          >
            {nameOf(each)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void login.logOut()}>
          {text('action.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
