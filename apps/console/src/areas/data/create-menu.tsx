import { captionOf, useModel } from '../../context.ts';
import '@mantine/core/styles/Menu.css';
import { Button, type ButtonProps, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface CreateMenuProps extends Pick<ButtonProps, 'size' | 'variant' | 'leftSection'> {
  /** Names of entities, several of them. */
  readonly entities: readonly string[];
  readonly onChoose: (entity: string) => void;
  readonly position?: 'bottom-start' | 'bottom-end';
  readonly children: ReactNode;
}

/** A button for a new instance whose entity is chosen. */
export function CreateMenu({ entities, onChoose, position = 'bottom-start', children, ...button }: CreateMenuProps) {
  const model = useModel();
  return (
    <Menu position={position} withinPortal={false}>
      <Menu.Target>
        <Button variant="filled" {...button} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {entities.map((entity) => (
          <Menu.Item key={entity} onClick={() => onChoose(entity)}>
            {captionOf(model, entity)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
