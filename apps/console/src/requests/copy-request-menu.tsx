import { useModel, useText } from '../context.ts';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Code.css';
import { ActionIcon, Code, Menu } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { useState } from 'react';
import { Dialog } from '../controls/dialog.tsx';
import { notify } from '../errors/notify.ts';
import type { DescribedRequest } from './described-request.ts';
import { explorerFragment } from './explorer-fragment.ts';
import { toCurl } from './to-curl.ts';
import { toTypeScript } from './to-typescript.ts';
import { useExplorer } from './use-explorer.ts';

/** The menu; where the browser permits no access to the clipboard, the text is shown. */
export function CopyRequestMenu({ request }: { readonly request: DescribedRequest }) {
  const text = useText();
  const { connection, settings } = useModel();
  const explorer = useExplorer();
  const [shown, setShown] = useState<string>();
  const server = new URL(connection.baseUrl, document.baseURI).href.replace(/\/$/, '');
  const copy = async (content: string): Promise<void> => {
    if (await copyText(content)) notify({ message: text('request.copied'), closeLabel: text('action.close') });
    else setShown(content);
  };
  return (
    <>
      <Menu position="bottom-end" defaultOpened>
        <Menu.Target>
          <ActionIcon size={36} aria-label={text('request.menu')} title={text('request.menu')}>
            <IconApi size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void copy(toCurl(server, request))}>{text('request.copyCurl')}</Menu.Item>
          <Menu.Item onClick={() => void copy(toTypeScript(server, settings.paths, request))}>
            {text('request.copyTypeScript')}
          </Menu.Item>
          {explorer !== undefined && (
            <Menu.Item component="a" href={explorer + explorerFragment(request)} target="_blank">
              {text('request.explore')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={shown !== undefined} onClose={() => setShown(undefined)} title={text('request.copyThis')}>
        <Code block tabIndex={0}>
          {shown}
        </Code>
      </Dialog>
    </>
  );
}

/** Copies a text; false if the browser does not permit it, as on pages without TLS. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.info('The clipboard is not accessible:', error);
    return false;
  }
}
