import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';

const CreateMenu = lazy(async () => ({ default: (await import('../create-menu.tsx')).CreateMenu }));

interface AddButtonProps {
  /** The entities that the new child can be of; not empty. */
  readonly entities: readonly string[];
  readonly onAdd: (entity: string) => void;
  readonly children: ReactNode;
}

const LOOK = { size: 'compact-sm', variant: 'default', leftSection: <IconPlus size={14} aria-hidden /> } as const;

/** Adds a child of a composition; of several entities that it can be of, the user chooses one. */
export function AddButton({ entities, onAdd, children }: AddButtonProps) {
  const [only = ''] = entities;
  if (entities.length === 1)
    return (
      <Button {...LOOK} onClick={() => onAdd(only)}>
        {children}
      </Button>
    );
  return (
    <Suspense fallback={null}>
      <CreateMenu {...LOOK} entities={entities} onChoose={onAdd}>
        {children}
      </CreateMenu>
    </Suspense>
  );
}
