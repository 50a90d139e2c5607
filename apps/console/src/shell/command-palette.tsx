import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Area } from '../areas/area.ts';
import { useText } from '../language/text-provider.tsx';
import { useModel } from '../model/model-provider.tsx';

interface CommandPaletteProps {
  readonly areas: readonly Area[];
  /** How often it was opened; it opens whenever this changes. */
  readonly opened: number;
}

const MAX_SHOWN = 12;

/** Finds and opens any page of the console by its name. */
export function CommandPalette({ areas, opened }: CommandPaletteProps) {
  const text = useText();
  const model = useModel();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each number is a request to open it
  useEffect(() => spotlight.open(), [opened]);
  const groups = areas.map(({ name, commands }) => ({
    group: text(`area.${name}`),
    actions: [
      { id: `area:${name}`, label: text(`area.${name}`), to: name, description: undefined },
      ...(commands?.(model) ?? []),
    ].map(({ id, label, description, to }) => ({
      id,
      label,
      ...(description !== undefined && { description }),
      onClick: () => void navigate({ to: `/${to}` }),
    })),
  }));
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      limit={MAX_SHOWN}
      nothingFound={text('palette.nothing')}
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: text('palette.placeholder'),
        'aria-label': text('palette.placeholder'),
      }}
    />
  );
}
