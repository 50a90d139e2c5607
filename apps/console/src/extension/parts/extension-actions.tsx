import type { ActionContext, ExtensionAction } from '@lintel/react/console';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useModel } from '../../context.ts';
import { localText } from '../local-text.ts';
import { useConsole } from '../use-console.ts';
import { useExtension } from '../use-extension.ts';

interface ExtensionActionsProps extends Pick<ActionContext, 'entity' | 'instances' | 'reload'> {
  readonly on: ExtensionAction['on'];
  /** For example while there is input that was not saved. */
  readonly isDisabled?: boolean;
}

/** The actions of the extension for a list or an instance, as buttons; nothing without one. */
export function ExtensionActions({ on, entity, instances, isDisabled = false, reload }: ExtensionActionsProps) {
  const { locale } = useLanguage();
  const { client, rights } = useModel();
  const page = useConsole();
  const { actions = [] } = useExtension().parts;
  const [running, setRunning] = useState<string>();
  const shown = actions.filter((each) => each.entity === entity && each.on === on && (each.isShown?.(rights) ?? true));
  if (shown.length === 0) return null;

  async function run(action: ExtensionAction): Promise<void> {
    setRunning(action.name);
    try {
      await action.run({ ...page, client, rights, entity, instances, reload });
    } catch (error) {
      page.showError(error);
    } finally {
      setRunning(undefined);
    }
  }

  return (
    <Group gap="xs">
      {shown.map((action) => (
        <Button
          key={action.name}
          size="sm"
          loading={running === action.name}
          disabled={isDisabled || running !== undefined || (on === 'list' && instances.length === 0)}
          onClick={() => void run(action)}
        >
          {localText(action.title, locale)}
        </Button>
      ))}
    </Group>
  );
}
